// Rotates one vector in both layouts, and says how far it has walked between them.
#include "app/figures/layouts/walk.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "app/figures/content.h"
#include "app/figures/text.h"
#include "app/plot/number_text.h"
#include "core/rope/layout.h"
#include "core/systems/permutation_search.h"
#include "core/systems/probe.h"

namespace ropescope::figures {
namespace {

constexpr double kShareOfAPair = 0.5;  ///< of the whole walk, that one pair is under way
constexpr Index kMostSamples = 256;

std::vector<float> noise(std::uint64_t seed, std::int64_t head_dim) {
    const nd::Array x = probe_vectors(seed, 1, 1, 1, head_dim);
    std::vector<float> values;
    std::ranges::transform(x.values, std::back_inserter(values),
                           [](double value) { return static_cast<float>(value); });
    return values;
}

std::vector<float> permuted(const std::vector<float>& x, const std::vector<Index>& p) {
    std::vector<float> y(x.size());
    permute_channels<float>(x, y, p);
    return y;
}

/// Copies of x, one at each position.
std::vector<float> rotated_at(const std::vector<float>& x,
                              const std::vector<std::int64_t>& positions, const RopeSpec& spec,
                              Layout layout, Engine& engine) {
    std::vector<float> all;
    for (std::size_t row = 0; row < positions.size(); ++row) {
        all.insert(all.end(), x.begin(), x.end());
    }
    const RotationTable table = engine.table(make_spectrum(spec), positions);
    engine.rotate_in_place(bhld_view(all.data(), 1, 1, std::ssize(positions), spec.head_dim),
                           table.view(), {.layout = layout});
    return all;
}

double dot(std::span<const float> a, std::span<const float> b) {
    return std::transform_reduce(a.begin(), a.end(), b.begin(), 0.0, std::plus<>(),
                                 [](double x, double y) { return x * y; });
}

/// q_m . k_n for every n of a layout.
std::vector<double> scores(const std::vector<float>& q, const std::vector<float>& k, std::int64_t m,
                           const std::vector<std::int64_t>& n, const RopeSpec& spec, Layout layout,
                           Engine& engine) {
    const std::vector<float> query = rotated_at(q, {m}, spec, layout, engine);
    const std::vector<float> keys = rotated_at(k, n, spec, layout, engine);
    std::vector<double> found;
    for (std::size_t row = 0; row < n.size(); ++row) {
        found.push_back(dot(query, std::span(keys).subspan(row * k.size(), k.size())));
    }
    return found;
}

}  // namespace

Walk make_walk(const Scene& scene, Engine& engine) {
    Walk walk;
    walk.spec = unscaled_rope_spec(scene);
    const RopeSpec& spec = walk.spec;
    walk.p =
        layout_permutation(Layout::interleaved, Layout::half_split, spec.head_dim, spec.rotary_dim);
    walk.slot = inverse_permutation(walk.p);
    walk.walked = scene.walk;
    walk.m = scene.query_position;
    walk.n = scene.key_position;
    // k is like q, so that the score has its peak at distance 0.
    const std::uint64_t seed = scene.content_seed;
    walk.q = noise(seed, spec.head_dim);
    walk.k = noise(seed + (1ULL << 32U), spec.head_dim);
    for (std::size_t c = 0; c < walk.k.size(); ++c) {
        walk.k[c] = 0.7F * walk.q[c] + 0.7F * walk.k[c];
    }
    const std::vector<float> half_q = permuted(walk.q, walk.p), half_k = permuted(walk.k, walk.p);
    walk.rotated = rotated_at(walk.q, {walk.m}, spec, Layout::interleaved, engine);
    const std::vector<float> arrived = permuted(walk.rotated, walk.p);
    const std::vector<float> there = rotated_at(half_q, {walk.m}, spec, Layout::half_split, engine);
    for (std::size_t c = 0; c < there.size(); ++c) {
        walk.largest_difference =
            std::max<double>(walk.largest_difference, std::abs(arrived[c] - there[c]));
    }
    const auto score = [&](const auto& q, const auto& k, Layout layout) {
        return scores(q, k, walk.m, {walk.n}, spec, layout, engine).front();
    };
    walk.score = score(walk.q, walk.k, Layout::interleaved);
    walk.half_split_score = score(half_q, half_k, Layout::half_split);
    walk.score_without_p = score(walk.q, walk.k, Layout::half_split);
    // Each rotated channel is a sum of two products in fp32: off by at most 2 u (|x| + |y|), in
    // both layouts and for q and k; Cauchy and Schwarz carry that to the score. u = 2^-24.
    walk.rounding =
        16 * std::ldexp(1.0, -24) * std::sqrt(dot(walk.q, walk.q) * dot(walk.k, walk.k));
    return walk;
}

double walked(const Walk& walk, Index channel) {
    const Index pairs = walk.spec.pairs();
    const double share = pairs > 1 ? kShareOfAPair : 1.0;
    const Index pair = std::min(channel / 2, pairs - 1);
    const double begins = pairs > 1 ? (1 - share) * to_double(pair) / to_double(pairs - 1) : 0;
    return std::clamp((walk.walked - begins) / share, 0.0, 1.0);
}

double slot_now(const Walk& walk, Index channel) {
    const double t = walked(walk, channel);
    return std::lerp(to_double(channel), to_double(walk.slot[channel]), t * t * (3 - 2 * t));
}

std::string permutation_words(const Walk& walk) {
    const Index pairs = walk.spec.pairs();
    if (pairs == 1) {
        return "nothing moves: one pair is (0, 1) in both layouts";
    }
    std::string words =
        fmt::format("channel 2i goes to i, channel 2i + 1 to i + {} (i < {})", pairs, pairs);
    if (walk.spec.rotary_dim < walk.spec.head_dim) {
        words += fmt::format("; {} to {} are not rotated and stay", walk.spec.rotary_dim,
                             walk.spec.head_dim - 1);
    }
    return words;
}

std::string inverse_words(const Walk& walk) {
    const Index pairs = walk.spec.pairs();
    return pairs == 1 ? "the same" : fmt::format("i goes to 2i, i + {} to 2i + 1", pairs);
}

plot::Panel permutation_panel(const Scene& scene, const Walk& walk) {
    const Index pair = scene.selected_pair;
    const ChannelPair from = pair_channels(Layout::interleaved, walk.spec.rotary_dim, pair);
    const ChannelPair to = pair_channels(Layout::half_split, walk.spec.rotary_dim, pair);
    plot::Facts facts{
        {{"P", permutation_words(walk)},
         {"back", inverse_words(walk)},
         {fmt::format("pair {}", pair), fmt::format("channels {}, {} go to {}, {}", from.first,
                                                    from.second, to.first, to.second)},
         {"rotation", fmt::format("P R_{{m}} q against R'_{{m}} P q: largest difference {}",
                                  plot::few_digits_text(walk.largest_difference, 2))},
         {"score",
          fmt::format("{} interleaved, {} half split: difference {}", signed_text(walk.score, 6),
                      signed_text(walk.half_split_score, 6),
                      plot::few_digits_text(std::abs(walk.half_split_score - walk.score), 2)),
          walk.same_score() ? plot::Role::cos_part : plot::Role::wrong},
         {"without P",
          fmt::format("half split on the order of interleaved: {}",
                      signed_text(walk.score_without_p, 6)),
          plot::Role::wrong}}};
    plot::Panel panel{.id = "permutation",
                      .title = "the permutation P, and what it leaves alone",
                      .x = {.visible = false},
                      .y = {.visible = false},
                      .row = 1};
    panel.marks.emplace_back(std::move(facts));
    return panel;
}

plot::Panel walk_score_panel(const Scene& scene, const Walk& walk, Engine& engine) {
    const std::int64_t delta = walk.n - walk.m, range = drawn_range(scene, delta);
    const std::int64_t first = std::max(-range, -walk.m);
    const std::int64_t last = std::min(range, kMaxPosition - walk.m);
    const std::int64_t step = 1 + (last - first) / kMostSamples;
    std::vector<std::int64_t> positions;
    for (std::int64_t at = first; at <= last; at += step) {
        positions.push_back(walk.m + at);
    }
    plot::Panel panel{.id = "score",
                      .title = "score q_{m} · k_{n}",
                      .x = {.label = "distance n − m",
                            .min = to_double(first),
                            .max = to_double(std::max(last, first + 1)),
                            .integers = true,
                            .signs = true},
                      .row = 1,
                      .column = 1};
    double low = 0, high = 0;
    const auto add = [&](const std::vector<float>& q, const std::vector<float>& k, Layout layout,
                         plot::Line line) {
        const std::vector<double> values =
            scores(q, k, walk.m, positions, walk.spec, layout, engine);
        for (std::size_t i = 0; i < values.size(); ++i) {
            line.points.push_back({to_double(positions[i] - walk.m), values[i]});
            low = std::min(low, values[i]);
            high = std::max(high, values[i]);
        }
        panel.marks.emplace_back(std::move(line));
    };
    add(walk.q, walk.k, Layout::half_split,
        {.role = plot::Role::wrong,
         .width = 0.75,
         .dash = plot::Dash::dotted,
         .label = "without P"});
    add(walk.q, walk.k, Layout::interleaved,
        {.role = plot::Role::first, .width = 1.75, .label = "interleaved"});
    add(permuted(walk.q, walk.p), permuted(walk.k, walk.p), Layout::half_split,
        {.role = plot::Role::second, .dash = plot::Dash::dashed, .label = "half split"});
    panel.marks.emplace_back(
        plot::Points{.points = {{to_double(delta), walk.score}}, .radius_px = 5, .ring = true});
    const double margin = std::max(0.06 * (high - low), 0.1);
    panel.y.min = low - margin;
    panel.y.max = high + margin;
    return panel;
}

std::string walk_report(const Walk& walk) {
    std::vector<std::vector<std::string>> rows;
    const Index shown = std::min(walk.spec.head_dim, kMostNumberedChannels);
    for (Index channel = 0; channel < shown; ++channel) {
        rows.push_back({fmt::format("{}", channel), fmt::format("{}", walk.slot[channel]),
                        signed_text(walk.rotated[channel], 6), fixed_text(walked(walk, channel), 3),
                        fixed_text(slot_now(walk, channel), 3)});
    }
    const std::string more =
        shown < walk.spec.head_dim
            ? fmt::format("the first {} channels; the CSV has all {}\n", shown, walk.spec.head_dim)
            : "";
    return fmt::format(
               "the permutation P from interleaved to half split: {}\nback: {}\nlargest difference "
               "of P R_m q and R'_m P q at m = {}: {}\nscore with k at n = {}: interleaved "
               "{:+.9f}, half split {:+.9f}, half split without P {:+.9f}\n\nthe walk at {:g}\n{}",
               permutation_words(walk), inverse_words(walk), walk.m,
               plot::few_digits_text(walk.largest_difference, 3), walk.n, walk.score,
               walk.half_split_score, walk.score_without_p, walk.walked, more) +
           text_table({"channel", "goes to", "value", "walked", "slot now"}, rows);
}

}  // namespace ropescope::figures
