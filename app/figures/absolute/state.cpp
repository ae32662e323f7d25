// Computes the state of the absolute view.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <span>

#include "app/figures/absolute/absolute.h"
#include "app/figures/shared/content.h"
#include "app/figures/shared/text.h"
#include "core/analysis/turns.h"
#include "core/rope/qk_norm.h"

namespace ropescope::figures {
namespace {

constexpr Index kMostScores = 256;
constexpr Index kScoreCost = 1 << 15;  ///< scores times channels
constexpr Index kMostCells = 256;      ///< of the table, each way
constexpr Index kMappedPairs = 12;     ///< pairs of the shift map that are drawn

SinusoidalTable sinusoidal_table(const Spectrum& spectrum, Index positions) {
    const Index pairs = spectrum.pairs();
    SinusoidalTable table{.channels = std::min(2 * pairs, kMostCells),
                          .columns = std::min(positions, kMostCells)};
    const Index shown = table.channels / 2;
    Spectrum rows;
    for (Index i = 0; i < shown; ++i) {
        rows.inv_freq_rad.push_back(spectrum.inv_freq_rad[i * pairs / shown]);
    }
    table.values.assign(table.channels * table.columns, 0.0F);
    for (Index column = 0; column < table.columns; ++column) {
        const auto p = sinusoidal_row(rows, column * positions / table.columns);
        for (Index channel = 0; channel < table.channels; ++channel) {
            table.values[channel * table.columns + column] = static_cast<float>(p[channel]);
        }
    }
    return table;
}

ShiftMap shift_map_of(Spectrum spectrum, Index shift) {
    const Index pairs = std::min<Index>(spectrum.pairs(), kMappedPairs);
    spectrum.inv_freq_rad.resize(pairs);
    return {.size = 2 * pairs, .values = shift_map(spectrum, shift)};
}

/// An RMS norm whose weights differ in the two channels of each pair: 1 and 2.
std::vector<double> with_norm(const RopeSpec& spec, std::span<const double> row) {
    std::vector<double> weights(row.size());
    for (int i = 0; i < spec.pairs(); ++i) {
        const auto [a, b] = pair_channels(spec.layout, spec.rotary_dim, i);
        weights[a] = 1;
        weights[b] = 2;
    }
    return normalised_row({}, weights, row);
}

std::vector<double> rotated(const AbsoluteState& state, std::span<const double> row,
                            Index position) {
    const RopeSpec& spec = state.spec;
    const Turn turn = make_turn(state.spectrum, position);
    std::vector<double> result(row.size());
    for (int i = 0; i < spec.pairs(); ++i) {
        const auto [a, b] = pair_channels(spec.layout, spec.rotary_dim, i);
        result[a] = row[a] * turn.cos[i] - row[b] * turn.sin[i];
        result[b] = row[a] * turn.sin[i] + row[b] * turn.cos[i];
    }
    return state.norm == NormPlace::after ? with_norm(spec, result) : result;
}

/// q . k / sqrt(d) after both have been rotated: nothing here assumes that only n - m is left.
double rotated_score(const AbsoluteState& state, Index m, Index n) {
    const std::vector<double> q = rotated(state, state.q, m), k = rotated(state, state.k, n);
    return std::inner_product(q.begin(), q.end(), k.begin(), 0.0) /
           std::sqrt(state.spec.rotary_dim);
}

void add_content(AbsoluteState& state, const Scene& scene) {
    // Embeddings are as wide as the table: no channel passes through here.
    RopeSpec whole = state.spec;
    whole.head_dim = state.spec.rotary_dim;
    const Content content = make_content(scene);
    state.x = state.query_map.apply(head_vector(whole, content.q_rad));
    state.y = state.key_map.apply(head_vector(whole, content.k_rad));
    const bool first = state.norm == NormPlace::before;
    state.q = first ? with_norm(state.spec, state.x) : state.x;
    state.k = first ? with_norm(state.spec, state.y) : state.y;
}

void add_scores(AbsoluteState& state) {
    const Index first = std::max<Index>(0, -state.delta);
    const Index most = std::clamp<Index>(kScoreCost / state.spec.rotary_dim, 16, kMostScores);
    state.step = (state.count + most - 1) / most;
    for (Index m = first; m < first + state.count; m += state.step) {
        state.scores.push_back(state.scores_at(m));
    }
    const auto sum = [](const AbsoluteScores& at) { return at.additive.sum(); };
    const auto [low, high] = std::ranges::minmax_element(state.scores, {}, sum);
    state.additive_least = sum(*low);
    state.additive_most = sum(*high);
    const auto [rope_low, rope_high] =
        std::ranges::minmax_element(state.scores, {}, &AbsoluteScores::rope);
    state.rope_least = rope_low->rope;
    state.rope_most = rope_high->rope;
}

}  // namespace

AbsoluteScores AbsoluteState::scores_at(Index m) const {
    const Index n = m + delta;
    return {m, n,
            additive_terms(x, query_map.apply(sinusoidal_row(spectrum, m)), y,
                           key_map.apply(sinusoidal_row(spectrum, n))),
            rotated_score(*this, m, n)};
}

AbsoluteState make_absolute_state(const Scene& scene) {
    const RopeSpec spec = unscaled_rope_spec(scene);
    const auto seed = static_cast<std::uint64_t>(scene.content_seed);
    AbsoluteState state{.spec = spec,
                        .spectrum = make_spectrum(spec),
                        .shift = scene.shift,
                        .delta = scene.key_position - scene.query_position,
                        .count = scene.position_count,
                        .query_map = Projection(spec.rotary_dim, 2 * seed + 1),
                        .key_map = Projection(spec.rotary_dim, 2 * seed + 2),
                        .norm = scene.absolute_norm};
    state.table = sinusoidal_table(state.spectrum, state.count);
    state.shift_map = shift_map_of(state.spectrum, state.shift);
    add_content(state, scene);
    add_scores(state);
    return state;
}

// Writes the absolute view as text and as CSV.

namespace {

plot::Text rope_text(const AbsoluteState& state) {
    if (state.norm == NormPlace::after) {
        return plot::say("RoPE on the same content, with a norm after it: between {} and {}.",
                         signed_text(state.rope_least, 4), signed_text(state.rope_most, 4));
    }
    const double differ = state.rope_most - state.rope_least;
    const plot::Number spread(fmt::format("{:.1e}", differ), differ);
    return plot::say("RoPE on the same content{}: {}, everywhere within {}.",
                     state.norm == NormPlace::before ? ", with a norm before it" : "",
                     signed_text(state.rope_least, 4), spread);
}

}  // namespace

plot::Text absolute_report(const AbsoluteState& state) {
    constexpr Index kMostRows = 17;
    const Index count = std::ssize(state.scores);
    const Index shown = std::min(count, kMostRows);
    std::vector<std::vector<std::string>> rows;
    for (Index row = 0; row < shown; ++row) {
        const AbsoluteScores& at = state.scores[shown == 1 ? 0 : row * (count - 1) / (shown - 1)];
        const AdditiveTerms& terms = at.additive;
        rows.push_back({whole_text(at.m), whole_text(at.n), signed_text(terms.content_content, 4),
                        signed_text(terms.content_position, 4),
                        signed_text(terms.position_content, 4),
                        signed_text(terms.position_position, 4), signed_text(terms.sum(), 4),
                        signed_text(at.rope, 4)});
    }
    std::vector<std::vector<std::string>> blocks;
    const Index channels = std::min<Index>(16, state.shift_map.size);
    for (Index sin = 0; sin < channels; sin += 2) {
        blocks.push_back({fmt::format("{}, {}", sin, sin + 1),
                          signed_text(state.shift_map.at(sin, sin), 4),
                          signed_text(state.shift_map.at(sin, sin + 1), 4)});
    }
    return plot::say(
               "(W_q (x + p_m)) · (W_k (y + p_n)) / sqrt(d) at n − m = {}: between {} and "
               "{}, depending on where. ",
               whole_text(state.delta), signed_text(state.additive_least, 4),
               signed_text(state.additive_most, 4)) +
           rope_text(state) + "\n\n" +
           text_table({"m", "n", "content·content", "content·position", "position·content",
                       "position·position", "sum", "RoPE"},
                      rows) +
           plot::say(
               "\nThe shift map M_{}: blocks [[c, s], [−s, c]] on its diagonal, the same "
               "for every m\n",
               state.shift) +
           text_table({"channels", "c", "s"}, blocks);
}

plot::DataTable absolute_data(const AbsoluteState& state) {
    std::vector<Index> m, n;
    std::vector<double> cc, cp, pc, pp, sum, rope;
    for (const AbsoluteScores& at : state.scores) {
        m.push_back(at.m);
        n.push_back(at.n);
        cc.push_back(at.additive.content_content);
        cp.push_back(at.additive.content_position);
        pc.push_back(at.additive.position_content);
        pp.push_back(at.additive.position_position);
        sum.push_back(at.additive.sum());
        rope.push_back(at.rope);
    }
    return {{{"query_position", std::move(m)},
             {"key_position", std::move(n)},
             {"content_content", std::move(cc)},
             {"content_position", std::move(cp)},
             {"position_content", std::move(pc)},
             {"position_position", std::move(pp)},
             {"additive_sum", std::move(sum)},
             {"rope", std::move(rope)}}};
}

}  // namespace ropescope::figures
