#include "app/figures/precision/state.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/first_error.h"
#include "core/analysis/turns.h"

namespace ropescope::figures {
namespace {

/// 1, 2, 4, ... 2^20 with steps in between at about equal ratios.
std::vector<std::int64_t> step_ends(int per_octave) {
    std::vector<std::int64_t> ends;
    const int count = 20 * per_octave;
    for (int i = 0; i <= count; ++i) {
        const auto end = std::llround(std::exp2(static_cast<double>(i) / per_octave));
        if (ends.empty() || end > ends.back()) {
            ends.push_back(end);
        }
    }
    return ends;
}

/// `count` whole numbers of (after, last], the last one and the one before it among them: powers of
/// two are the positions that low precision holds best.
std::vector<std::int64_t> samples_of(std::int64_t after, std::int64_t last, std::int64_t count) {
    const std::int64_t there = last - after;
    std::vector<std::int64_t> samples;
    if (there <= count) {
        for (std::int64_t p = after + 1; p <= last; ++p) {
            samples.push_back(p);
        }
        return samples;
    }
    for (std::int64_t i = 0; i < count; ++i) {
        samples.push_back(last - 1 - i * (there - 1) / count);
    }
    return samples;
}

void add_error(PrecisionState& state, ChainCurves& curves, std::size_t step, std::int64_t position,
               const Turn& exact, ChainRow& row) {
    fill_chain_row(*curves.chain, state.spectrum, position, row);
    const std::size_t steps = state.positions.size();
    for (std::size_t i = 0; i < row.cos.size(); ++i) {
        const double error =
            std::max(std::abs(row.cos[i] - exact.cos[i]), std::abs(row.sin[i] - exact.sin[i]));
        curves.error[step] = std::max(curves.error[step], error);
        if (curves.chain == state.selected) {
            float& cell = state.by_pair[i * steps + step];
            cell = std::max(cell, static_cast<float>(error));
        }
    }
}

void add_step(PrecisionState& state, std::size_t step) {
    const std::int64_t after = step == 0 ? 0 : state.positions[step - 1];
    // As many channels a pair looked at as the head has for each of its pairs.
    const int channels = state.spec.head_dim * state.spectrum.pairs() / state.spec.pairs();
    Turn exact;
    ChainRow row;
    for (const std::int64_t position : samples_of(after, state.positions[step], state.samples)) {
        fill_turn(state.spectrum, position, exact);
        for (ChainCurves& curves : state.chains) {
            add_error(state, curves, step, position, exact, row);
            const ChainPair moved = make_chain_pair(*curves.chain, state.spectrum,
                                                    state.m + position, state.n + position);
            const RelativeViolation violation = relative_violation(curves.base, moved, channels);
            curves.worst[step] = std::max(curves.worst[step], violation.worst);
            curves.typical[step] = std::max(curves.typical[step], violation.typical);
        }
    }
}

Reached reached_at(const PrecisionState& state, const ChainCurves& curves, double level,
                   const PrecisionEffort& effort, const std::stop_token& stop) {
    // Only of all pairs is the first position the first.
    if (effort.search > 0 && state.spectrum.pairs() == state.spec.pairs()) {
        const std::optional<std::int64_t> first = first_error(
            *curves.chain, state.spectrum,
            {.level = level, .last = state.positions.back(), .entries = effort.search}, stop);
        if (first) {
            return {*first, true};
        }
    }
    const auto step = std::ranges::find_if(curves.error, [&](double e) { return e >= level; });
    return step == curves.error.end()
               ? Reached{}
               : Reached{state.positions[static_cast<std::size_t>(step - curves.error.begin())]};
}

}  // namespace

const ChainCurves& PrecisionState::curves() const {
    return *std::ranges::find(chains, selected, &ChainCurves::chain);
}

PrecisionState make_precision_state(const Scene& scene, const PrecisionEffort& effort,
                                    const std::stop_token& stop) {
    PrecisionState state;
    state.spec = unscaled_rope_spec(scene);
    const Spectrum whole = make_spectrum(state.spec);
    const int pairs = std::min(whole.pairs(), effort.most_pairs);
    for (int i = 0; i < pairs; ++i) {
        state.pairs.push_back(
            pairs == 1 ? 0 : static_cast<int>(std::int64_t{i} * (whole.pairs() - 1) / (pairs - 1)));
        state.spectrum.inv_freq_rad.push_back(
            whole.inv_freq_rad[static_cast<std::size_t>(state.pairs.back())]);
    }
    state.m = scene.query_position;
    state.n = scene.key_position;
    state.positions = step_ends(effort.steps_per_octave);
    state.selected = &precision_chain(scene.precision_chain);
    const std::size_t steps = state.positions.size();
    for (const PrecisionChain& chain : precision_chains()) {
        const std::vector<double> zeros(steps, 0.0);
        state.chains.push_back({.chain = &chain,
                                .error = zeros,
                                .reached = {},
                                .base = make_chain_pair(chain, state.spectrum, state.m, state.n),
                                .worst = zeros,
                                .typical = zeros});
    }
    state.by_pair.assign(state.pairs.size() * steps, 0.0F);
    const std::int64_t row_entries = static_cast<std::int64_t>(steps * state.chains.size()) * pairs;
    state.samples = std::max<std::int64_t>(1, effort.entries / row_entries);
    for (std::size_t step = 0; step < steps && !stop.stop_requested(); ++step) {
        add_step(state, step);
    }
    for (ChainCurves& curves : state.chains) {
        for (std::size_t i = 0; i < kErrorLevels.size(); ++i) {
            curves.reached[i] = reached_at(state, curves, kErrorLevels[i], effort, stop);
        }
    }
    for (float& cell : state.by_pair) {
        cell = std::log10(std::max(cell, static_cast<float>(kPrecisionFloor)));
    }
    return state;
}

}  // namespace ropescope::figures
