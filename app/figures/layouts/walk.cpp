// The walk of one vector from layout to layout: computed, drawn and told.
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <numeric>

#include "app/figures/layouts/layouts.h"
#include "app/figures/shared/content.h"
#include "app/figures/shared/text.h"
#include "app/plot/number_text.h"
#include "app/scene/values.h"
#include "core/base/index.h"
#include "core/rope/layout.h"
#include "core/systems/equivalence.h"
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

namespace {

/// "2i goes to i, 2i + 1 to i + 64", and what stays.
plot::Text permutation_words(const Walk& walk) {
    const Index pairs = walk.spec.pairs();
    if (pairs == 1) {
        return plot::say("nothing moves: one pair is (0, 1) in both layouts");
    }
    plot::Text words = plot::say("2i goes to i, 2i + 1 to i + {}", pairs);
    if (walk.spec.rotary_dim < walk.spec.head_dim) {
        words += plot::say("; {} to {} are not rotated and stay", walk.spec.rotary_dim,
                           walk.spec.head_dim - 1);
    }
    return words;
}

plot::Text inverse_words(const Walk& walk) {
    const Index pairs = walk.spec.pairs();
    return pairs == 1 ? plot::say("the same") : plot::say("i goes to 2i, i + {} to 2i + 1", pairs);
}

}  // namespace

plot::Panel permutation_panel(const Scene& scene, const Walk& walk) {
    const Index pair = scene.selected_pair;
    const ChannelPair from = pair_channels(Layout::interleaved, walk.spec.rotary_dim, pair);
    const ChannelPair to = pair_channels(Layout::half_split, walk.spec.rotary_dim, pair);
    plot::Facts facts{
        {{"P", permutation_words(walk)},
         {"back", inverse_words(walk)},
         {fmt::format("pair {}", pair),
          plot::say("channels {}, {} go to {}, {}", from.first, from.second, to.first, to.second)},
         {"rotation", plot::say("P R_{{m}} q and R'_{{m}} P q differ by {}",
                                plot::few_digits_text(walk.largest_difference, 2))},
         {"score",
          plot::say("{} interleaved, {} half-split, {} apart", signed_text(walk.score, 6),
                    signed_text(walk.half_split_score, 6),
                    plot::few_digits_text(std::abs(walk.half_split_score - walk.score), 2)),
          walk.same_score() ? plot::Role::right : plot::Role::wrong},
         {"without P",
          plot::say("{} half-split, channels where they were",
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
        {.role = plot::Role::second, .dash = plot::Dash::dashed, .label = "half-split"});
    panel.marks.emplace_back(plot::Points{.points = {{to_double(delta), walk.score}},
                                          .radius_px = 5,
                                          .ring = true,
                                          .of_selection = true});
    const double margin = std::max(0.06 * (high - low), 0.1);
    panel.y.min = low - margin;
    panel.y.max = high + margin;
    return panel;
}

plot::Text walk_report(const Walk& walk) {
    std::vector<std::vector<std::string>> rows;
    const Index shown = std::min(walk.spec.head_dim, kMostNumberedChannels);
    for (Index channel = 0; channel < shown; ++channel) {
        rows.push_back({fmt::format("{}", channel), fmt::format("{}", walk.slot[channel]),
                        signed_text(walk.rotated[channel], 6), fixed_text(walked(walk, channel), 3),
                        fixed_text(slot_now(walk, channel), 3)});
    }
    const plot::Text more =
        shown < walk.spec.head_dim
            ? plot::say("the first {} channels; the CSV has all {}\n", shown, walk.spec.head_dim)
            : plot::Text();
    const auto score = [](double value) {
        return plot::Number(fmt::format("{:+.9f}", value), value);
    };
    return plot::say(
               "the permutation P from interleaved to half-split: {}\nback: {}\nlargest difference "
               "of P R_m q and R'_m P q at m = {}: {}\nscore with k at n = {}: interleaved "
               "{}, half-split {}, half-split without P {}\n\nthe walk at {}\n",
               permutation_words(walk), inverse_words(walk), walk.m,
               plot::few_digits_text(walk.largest_difference, 3), walk.n, score(walk.score),
               score(walk.half_split_score), score(walk.score_without_p),
               general_text(walk.walked, 6)) +
           more + text_table({"channel", "goes to", "value", "walked", "slot now"}, rows);
}

namespace {

using plot::Point;
using plot::Role;

constexpr double kTop = 1.0, kBottom = -1.0;  ///< heights of the two rows
constexpr double kCell = 0.24;                ///< half the height of a cell
constexpr double kNumber = 0.16;              ///< from a cell to the middle of its number
constexpr double kFeet = 0.3;                 ///< from a cell to where its arc begins
constexpr double kArcs = 0.46;                ///< height of the widest arc
constexpr double kStem = 0.36;                ///< height of the largest value
constexpr Index kMostWalkers = 128;           ///< pairs beside the chosen ones

Role pair_role(int index) {
    static constexpr std::array kRoles = {Role::first, Role::second, Role::third, Role::text};
    return kRoles[index % std::ssize(kRoles)];
}

/// Where a channel is when it has gone t of its way: down in a straight line, across in an S.
Point on_path(Index from, Index to, double t) {
    return {std::lerp(from, to, t * t * (3 - 2 * t)), std::lerp(kTop, kBottom, t)};
}

struct Diagram {
    const Walk& walk;
    std::vector<Index> pairs;  ///< that are drawn in a colour of their own
    std::int64_t selected;
    bool large;
    double largest_value;
    plot::Panel& panel;

    const RopeSpec& spec() const { return walk.spec; }
    bool numbered() const { return spec().head_dim <= kMostNumberedChannels; }
    double half_width() const { return numbered() ? 0.42 : 0.5; }
    double width_of(Index pair) const { return pair == selected ? 1.3 : 0.7; }

    void box(double first, double last, double y, Role role, double width) const {
        panel.marks.emplace_back(plot::Line{.points = {{first, y - kCell},
                                                       {last, y - kCell},
                                                       {last, y + kCell},
                                                       {first, y + kCell},
                                                       {first, y - kCell}},
                                            .role = role,
                                            .width = width});
    }
    void text(double x, double y, std::string words, Role role) const {
        panel.marks.emplace_back(plot::Label{.at = {x, y},
                                             .text = std::move(words),
                                             .role = role,
                                             .anchor_x = 0.5,
                                             .anchor_y = 0.5,
                                             .mono = true,
                                             .height = 2 * kNumber,
                                             .smallest = 0.8});
    }
    /// In a cell's width, where there is room for the whole of it.
    void cell_text(Point at, std::string words, Role role, double height) const {
        panel.marks.emplace_back(plot::Label{.at = at,
                                             .text = std::move(words),
                                             .role = role,
                                             .anchor_x = 0.5,
                                             .anchor_y = 0.5,
                                             .mono = true,
                                             .width = 2 * half_width(),
                                             .whole = true,
                                             .height = height,
                                             .smallest = 0.7});
    }
    /// From one channel of a pair to the other, away from the other row.
    void arc(double from, double to, double y, Role role, double width) const {
        const double side = y > 0 ? 1 : -1;
        const double reach = std::sqrt((to - from) / (0.5 * to_double(spec().head_dim)));
        const double height = kArcs * std::clamp(reach, 0.25, 1.0);
        plot::Line line{.role = role, .width = width};
        for (int step = 0; step <= 24; ++step) {
            const double angle = std::numbers::pi * step / 24;
            const double x = (from + to) / 2.0 - (to - from) / 2.0 * std::cos(angle);
            line.points.push_back({x, y + side * (kCell + kFeet + height * std::sin(angle))});
        }
        panel.marks.emplace_back(std::move(line));
    }
    /// The way of a channel, from its cell in the upper layout to the one in the lower.
    void path(Index channel, Role role, double width) const {
        const double margin = kCell / (kTop - kBottom);
        plot::Line line{.role = role, .width = width, .opacity = 0.5};
        for (int step = 0; step <= 16; ++step) {
            line.points.push_back(
                on_path(channel, walk.slot[channel], std::lerp(margin, 1 - margin, step / 16.0)));
        }
        panel.marks.emplace_back(std::move(line));
    }
    /// The channel where it is now: a cell with its name, or a stem as high as its value.
    void walker(Index channel, Role role, double width, double opacity) const {
        const Point at = on_path(channel, walk.slot[channel], walked(walk, channel));
        const double value = walk.rotated[channel];
        if (!numbered()) {
            const double height = kStem * value / largest_value;
            panel.marks.emplace_back(plot::Line{.points = {at, {at.x, at.y + height}},
                                                .role = role,
                                                .width = width,
                                                .opacity = opacity});
            if (opacity == 1) {
                panel.marks.emplace_back(
                    plot::Points{.points = {at}, .role = role, .radius_px = 3});
            }
            return;
        }
        box(at.x - half_width(), at.x + half_width(), at.y, role, width);
        const double apart = large ? 0.11 : 0;
        cell_text({at.x, at.y + apart}, fmt::format("x_{{{}}}", channel), role,
                  2 * kCell - apart);  // more than the value's: it goes first
        if (large) {
            cell_text({at.x, at.y - apart}, signed_text(value, 2), Role::text, 2 * (kCell - apart));
        }
    }
};

/// The parts of a layout that do not move: its slots, their numbers, the arcs of its pairs, its
/// name.
void add_row(const Diagram& diagram, Layout layout) {
    const RopeSpec& spec = diagram.spec();
    const double y = layout == Layout::interleaved ? kTop : kBottom;
    const double number_y = y + (y > 0 ? 1 : -1) * (kCell + kNumber);
    if (!diagram.numbered()) {
        diagram.box(-0.5, to_double(spec.head_dim) - 0.5, y, Role::line, 0.5);
    }
    for (int at = 0; at < std::ssize(diagram.pairs); ++at) {
        const Index pair = diagram.pairs[at];
        const ChannelPair channels = pair_channels(layout, spec.rotary_dim, pair);
        const Role role = pair_role(at);
        diagram.arc(to_double(channels.first), to_double(channels.second), y, role,
                    diagram.width_of(pair));
        if (!diagram.numbered() && pair == diagram.selected) {
            if (channels.second - channels.first == 1) {
                diagram.text(to_double(channels.first) + 0.5, number_y,
                             fmt::format("{}, {}", channels.first, channels.second), role);
            } else {
                diagram.text(to_double(channels.first), number_y, fmt::format("{}", channels.first),
                             role);
                diagram.text(to_double(channels.second), number_y,
                             fmt::format("{}", channels.second), role);
            }
        }
    }
    if (diagram.numbered()) {
        for (Index slot = 0; slot < spec.head_dim; ++slot) {
            diagram.box(to_double(slot) - 0.42, to_double(slot) + 0.42, y, Role::line, 0.5);
            diagram.cell_text({to_double(slot), number_y}, fmt::format("{}", slot), Role::dim,
                              2 * kNumber);
        }
    } else if (spec.rotary_dim < spec.head_dim) {
        diagram.text(to_double(spec.rotary_dim + spec.head_dim - 1) / 2.0, number_y, "not rotated",
                     Role::dim);
    }
    const double end = -0.02 * to_double(spec.head_dim) - 0.6;
    diagram.panel.marks.emplace_back(
        plot::Label{.at = {end, y},
                    .text = spoken(to_string(layout)),
                    .role = layout == spec.layout ? Role::text : Role::dim,
                    .anchor_x = 1,
                    .anchor_y = 0.5,
                    .width = end - diagram.panel.x.min,
                    .whole = true,
                    .smallest = 0.65});
}

/// The channels that no chosen pair has: all that are rotated, or one in `stride` pairs, and what
/// is not rotated.
void add_others(const Diagram& diagram, Index stride) {
    const RopeSpec& spec = diagram.spec();
    for (Index channel = 0; channel < spec.head_dim; ++channel) {
        const bool chosen = std::ranges::find(diagram.pairs, channel / 2) != diagram.pairs.end() &&
                            channel < spec.rotary_dim;
        if (!chosen && channel / 2 % stride == 0) {
            diagram.walker(channel, Role::dim, 0.75, 0.7);
        }
    }
}

std::vector<Index> chosen_pairs(const Scene& scene, const Walk& walk) {
    std::vector<Index> pairs;
    if (walk.spec.head_dim <= kMostNumberedChannels) {
        for (Index pair = 0; pair < walk.spec.pairs(); ++pair) {
            pairs.push_back(pair);
        }
        return pairs;
    }
    for (const std::int64_t pair : scene.pairs) {
        pairs.push_back(pair);
    }
    return pairs;
}

double largest_of(const std::vector<float>& values) {
    float largest = 0;
    for (const float value : values) {
        largest = std::max(largest, std::abs(value));
    }
    return largest > 0 ? largest : 1.0;
}

}  // namespace

plot::Panel walk_panel(const Scene& scene, const Walk& walk, bool large) {
    const RopeSpec& spec = walk.spec;
    const double margin = (large ? 0.13 : 0.27) * to_double(spec.head_dim) + 1;
    plot::Panel panel{
        .id = "walk",
        .title = large ? "channels that pair, and the way between" : "channels that pair",
        .x = {.min = -margin, .max = to_double(spec.head_dim) - 0.3, .visible = false},
        .y = {.min = -2.05, .max = 2.05, .visible = false},
        .column_span = large ? 2 : 1};
    const Diagram diagram{walk,  chosen_pairs(scene, walk), scene.selected_pair,
                          large, largest_of(walk.rotated),  panel};
    const Index stride = (spec.head_dim / 2 + kMostWalkers - 1) / kMostWalkers;
    if (!diagram.numbered()) {
        panel.corners.top_right =
            stride > 1 ? plot::say("{} named, 1 of {} drawn",
                                   counted(std::ssize(scene.pairs), "pair"), stride)
                       : plot::say("{} of {} pairs", scene.pairs.size(), spec.pairs());
    }
    for (int at = 0; at < std::ssize(diagram.pairs); ++at) {
        const Index pair = diagram.pairs[at];
        for (const Index channel : {2 * pair, 2 * pair + 1}) {
            diagram.path(channel, pair_role(at), diagram.width_of(pair));
        }
    }
    add_row(diagram, Layout::interleaved);
    add_row(diagram, Layout::half_split);
    add_others(diagram, stride);
    for (int at = 0; at < std::ssize(diagram.pairs); ++at) {
        const Index pair = diagram.pairs[at];
        for (const Index channel : {2 * pair, 2 * pair + 1}) {
            diagram.walker(channel, pair_role(at), pair == diagram.selected ? 1.6 : 1.1, 1);
        }
    }
    return panel;
}

}  // namespace ropescope::figures
