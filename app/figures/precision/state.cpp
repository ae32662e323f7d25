// Computes the state of the precision view.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "app/figures/precision/precision.h"
#include "app/figures/shared/text.h"
#include "core/analysis/precision.h"
#include "core/analysis/turns.h"
#include "core/base/packed.h"

namespace ropescope {
template <>
inline constexpr std::size_t kMembers<figures::Reached> = 2;
}  // namespace ropescope

namespace ropescope::figures {
namespace {

/// How much a figure may cost.
struct PrecisionEffort {
    int steps_per_octave = 2;  ///< of positions
    Index entries = 0;      ///< of tables, for all chains together; at least one row for each step
    Index most_pairs = 64;  ///< evenly chosen if the encoding has more
    Index search = 0;       ///< entries of tables to find all first positions of errors
};

/// What a frame has time for, and what the background gets.
constexpr PrecisionEffort kFrame{.steps_per_octave = 2, .entries = 0, .most_pairs = 64};
constexpr PrecisionEffort kBackground{
    .steps_per_octave = 4, .entries = 1 << 20, .most_pairs = kMaxHeadDim / 2, .search = 1 << 24};

/// Whole states that another instance of the program has computed.
struct CarriedPrecision {
    Memo<Scene, PrecisionState> memo{3};
};

/// 1, 2, 4, ... 2^20 with steps in between at about equal ratios.
std::vector<Index> step_ends(int per_octave) {
    std::vector<Index> ends;
    const int count = 20 * per_octave;
    for (int i = 0; i <= count; ++i) {
        const Index end = round_to_index(std::exp2(to_double(i) / per_octave));
        if (ends.empty() || end > ends.back()) {
            ends.push_back(end);
        }
    }
    return ends;
}

/// `count` whole numbers of (after, last], spread from last - 1 downwards: `last` is often a power
/// of two, which low precision holds best. All of them if they are no more than `count`.
std::vector<Index> samples_of(Index after, Index last, Index count) {
    const Index there = last - after;
    std::vector<Index> samples;
    if (there <= count) {
        for (Index p = after + 1; p <= last; ++p) {
            samples.push_back(p);
        }
        return samples;
    }
    for (Index i = 0; i < count; ++i) {
        samples.push_back(last - 1 - i * (there - 1) / count);
    }
    return samples;
}

void add_error(PrecisionState& state, ChainCurves& curves, Index step, Index position,
               const Turn& exact, ChainRow& row) {
    fill_chain_row(*curves.chain, state.sampled, position, row);
    const Index steps = std::ssize(state.positions);
    for (Index i = 0; i < std::ssize(row.cos); ++i) {
        const double error =
            std::max(std::abs(row.cos[i] - exact.cos[i]), std::abs(row.sin[i] - exact.sin[i]));
        curves.error[step] = std::max(curves.error[step], error);
        if (curves.chain == state.selected) {
            float& cell = state.by_pair[i * steps + step];
            cell = std::max(cell, static_cast<float>(error));
        }
    }
}

void add_step(PrecisionState& state, Index step) {
    const Index after = step == 0 ? 0 : state.positions[step - 1];
    // Each sampled pair stands for as many channels as the head has for each of its pairs.
    const Index channels = state.spec.head_dim * state.sampled.pairs() / state.spec.pairs();
    Turn exact;
    ChainRow row;
    for (const Index position : samples_of(after, state.positions[step], state.samples)) {
        fill_turn(state.sampled, position, exact);
        for (ChainCurves& curves : state.chains) {
            add_error(state, curves, step, position, exact, row);
            const ChainPair moved = make_chain_pair(*curves.chain, state.sampled,
                                                    state.m + position, state.n + position);
            const RelativeViolation violation = relative_violation(curves.base, moved, channels);
            curves.worst[step] = std::max(curves.worst[step], violation.worst);
            curves.typical[step] = std::max(curves.typical[step], violation.typical);
        }
    }
}

/// `search`: the entries of tables that are left for all searches; one may take a quarter of them.
Reached reached_at(const PrecisionState& state, const ChainCurves& curves, double level,
                   const PrecisionEffort& effort, Index& search, const std::stop_token& stop) {
    // The first position of some pairs need not be the first of all pairs.
    if (search > 0 && state.sampled.pairs() == state.spec.pairs()) {
        const Index most = std::min(search, effort.search / 4);
        Index left = most;
        const std::optional<Index> first =
            first_error(*curves.chain, state.sampled,
                        {.level = level, .last = state.positions.back()}, left, stop);
        search -= most - left;
        if (first) {
            return {*first, true};
        }
    }
    const auto step = std::ranges::find_if(curves.error, [&](double e) { return e >= level; });
    return step == curves.error.end() ? Reached{}
                                      : Reached{state.positions[step - curves.error.begin()]};
}

/// The state before anything has been looked at.
PrecisionState begun_state(const Scene& scene, const PrecisionEffort& effort) {
    PrecisionState state;
    state.spec = unscaled_rope_spec(scene);
    state.spectrum = make_spectrum(state.spec);
    const Index all = state.spectrum.pairs();
    const Index pairs = std::min(all, effort.most_pairs);
    for (Index i = 0; i < pairs; ++i) {
        const Index pair = pairs == 1 ? 0 : i * (all - 1) / (pairs - 1);
        state.sampled.inv_freq_rad.push_back(state.spectrum.inv_freq_rad[pair]);
    }
    state.m = scene.query_position;
    state.n = scene.key_position;
    state.positions = step_ends(effort.steps_per_octave);
    state.selected = &precision_chain(scene.precision_chain);
    state.lines = scene.precision_lines;
    const Index steps = std::ssize(state.positions);
    for (const PrecisionChain& chain : precision_chains()) {
        const std::vector<double> zeros(steps, 0.0);
        state.chains.push_back({.chain = &chain,
                                .error = zeros,
                                .reached = {},
                                .base = make_chain_pair(chain, state.sampled, state.m, state.n),
                                .worst = zeros,
                                .typical = zeros});
    }
    state.by_pair.assign(pairs * steps, 0.0F);
    const Index row_entries = steps * std::ssize(state.chains) * pairs;
    state.samples = std::max<Index>(1, effort.entries / row_entries);
    return state;
}

PrecisionState computed_state(const Scene& scene, const PrecisionEffort& effort,
                              const std::stop_token& stop) {
    PrecisionState state = begun_state(scene, effort);
    const Index steps = std::ssize(state.positions);
    for (Index step = 0; step < steps && !stop.stop_requested(); ++step) {
        add_step(state, step);
    }
    Index search = effort.search;
    for (ChainCurves& curves : state.chains) {
        for (Index i = 0; i < std::ssize(kErrorLevels); ++i) {
            curves.reached[i] = reached_at(state, curves, kErrorLevels[i], effort, search, stop);
        }
    }
    for (float& cell : state.by_pair) {
        cell = std::log10(std::max(cell, static_cast<float>(kPrecisionFloor)));
    }
    return state;
}

}  // namespace

const ChainCurves& PrecisionState::curves() const {
    return *std::ranges::find(chains, selected, &ChainCurves::chain);
}

std::vector<double> PrecisionState::errors_at(Index position) const {
    std::vector<double> values;
    for (const PrecisionChain& chain : precision_chains()) {
        values.push_back(std::ranges::max(chain_error(chain, spectrum, position)));
    }
    return values;
}

std::vector<double> PrecisionState::violations_at(Index position) const {
    std::vector<double> values;
    for (const PrecisionChain& chain : precision_chains()) {
        values.push_back(relative_violation(chain, spectrum, spec.head_dim, m, n, position).worst);
    }
    return values;
}

std::shared_ptr<const PrecisionState> make_precision_state(const Scene& scene, const Work& work) {
    auto& known = work.cache->results<CarriedPrecision>().memo;
    if (work.may_draft && !known.find(scene)) {
        PrecisionState draft = computed_state(scene, kFrame, work.stop);
        draft.draft = true;
        return std::make_shared<const PrecisionState>(std::move(draft));
    }
    return work.result(
        known, scene, [&] { return begun_state(scene, kBackground); },
        [&] {
            return std::make_shared<const PrecisionState>(
                computed_state(scene, kBackground, work.stop));
        });
}

// Writes the precision view as text and as CSV.

namespace {

/// "151 363", or "at most 185 364" if not every position before it has been looked at. "nowhere" is
/// up to the last position.
std::string reached_text(const Reached& reached) {
    if (reached.position < 0) {
        return reached.exact ? "nowhere" : "not seen";
    }
    return (reached.exact ? "" : "at most ") + whole_text(reached.position);
}

/// The rows at the powers of 4.
std::string curve_table(const PrecisionState& state, std::vector<double> ChainCurves::*values) {
    std::vector<std::string> header = {"position"};
    for (const ChainCurves& curves : state.chains) {
        header.push_back(curves.chain->id);
    }
    std::vector<std::vector<std::string>> rows;
    for (Index i = 0; i < std::ssize(state.positions); ++i) {
        const Index position = state.positions[i];
        const bool power_of_four =
            (position & (position - 1)) == 0 && (position & 0x5555555555555555) != 0;
        if (!power_of_four) {
            continue;
        }
        rows.push_back({whole_text(position)});
        for (const ChainCurves& curves : state.chains) {
            rows.back().push_back(fmt::format("{:.2e}", (curves.*values)[i]));
        }
    }
    return text_table(header, rows) + "\n";
}

}  // namespace

plot::Text precision_report(const PrecisionState& state) {
    plot::Text text =
        plot::say("How each chain computes, and where it goes wrong up to position {}\n",
                  whole_text(state.positions.back()));
    std::vector<std::vector<std::string>> rows;
    for (const ChainCurves& curves : state.chains) {
        rows.push_back({curves.chain->id, reached_text(curves.reached[0]),
                        reached_text(curves.reached[1]), reached_text(curves.reached[2]),
                        fmt::format("{:.2e}", curves.error.back()),
                        fmt::format("{:.2e}", curves.worst.back()), curves.chain->where});
    }
    text += text_table({"chain", "first off by 1e-4", "by 0.01", "by 1", "error, last step",
                        "score changes by", ""},
                       rows);
    text += "\nLargest error of cos and sin at the sampled positions of a step\n" +
            curve_table(state, &ChainCurves::error);
    text += plot::say(
                "Change of q_m · k_n (m = {}, n = {}) when both move there, over |q| |k|, "
                "worst q and k\n",
                state.m, state.n) +
            curve_table(state, &ChainCurves::worst);
    text += plot::say("The same for random q and k, root mean square\n") +
            curve_table(state, &ChainCurves::typical);
    return text + plot::say(
                      "At most {} of each step {} sampled, for {}; the error between them can be "
                      "larger. First positions marked \"at most\" are sampled too.\n",
                      counted(state.samples, "position"), agreeing(state.samples, "is", "are"),
                      counted(state.sampled.pairs(), "pair"));
}

plot::DataTable precision_data(const PrecisionState& state) {
    std::vector<std::string> chain;
    std::vector<Index> position;
    std::vector<double> error, worst, typical;
    for (const ChainCurves& curves : state.chains) {
        for (Index i = 0; i < std::ssize(state.positions); ++i) {
            chain.push_back(curves.chain->id);
            position.push_back(state.positions[i]);
            error.push_back(curves.error[i]);
            worst.push_back(curves.worst[i]);
            typical.push_back(curves.typical[i]);
        }
    }
    return {{{"chain", std::move(chain)},
             {"position", std::move(position)},
             {"sampled_largest_error", std::move(error)},
             {"sampled_violation_worst", std::move(worst)},
             {"sampled_violation_typical", std::move(typical)}}};
}

}  // namespace ropescope::figures
