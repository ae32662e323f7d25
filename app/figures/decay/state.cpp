#include "app/figures/decay/state.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace ropescope::figures {
namespace {

constexpr std::int64_t kMostDrawn = 1024;
constexpr std::int64_t kDrawnCost = 1 << 16;  ///< drawn distances times pairs
constexpr std::int64_t kFewest = 64;          ///< drawn distances, draws

/// 0, step, 2 step, ... or, for a logarithmic axis, whole numbers at about equal ratios from 1 on.
std::vector<std::int64_t> drawn_distances(std::int64_t range, std::int64_t most, bool logarithmic) {
    std::vector<std::int64_t> distances;
    if (!logarithmic) {
        const std::int64_t step = (range + most - 1) / most;
        for (std::int64_t at = 0; at < range; at += step) {
            distances.push_back(at);
        }
    } else {
        const double ratio = std::pow(static_cast<double>(range), 1.0 / static_cast<double>(most));
        for (double at = 1; at < static_cast<double>(range); at *= ratio) {
            const std::int64_t whole = std::llround(at);
            if (whole < range && (distances.empty() || distances.back() != whole)) {
                distances.push_back(whole);
            }
        }
    }
    distances.push_back(range);
    return distances;
}

void add_random(DecayState& state, const Scene& scene, const DecayEffort& effort,
                const std::stop_token& stop) {
    const auto drawn = static_cast<std::int64_t>(state.distances.size());
    const std::int64_t each = 2 * state.spec.pairs();
    // With few products to spend, thin the distances before the draws.
    const std::int64_t affordable = std::max(kFewest, effort.products / (kFewest * each));
    const std::int64_t step = (drawn + affordable - 1) / affordable;
    std::vector<std::int64_t> distances;
    for (std::int64_t i = 0; i < drawn; i += step) {
        // The last one is the end of the axis.
        state.random_at.push_back(static_cast<std::size_t>(i + step < drawn ? i : drawn - 1));
        distances.push_back(state.distances[state.random_at.back()]);
    }
    const auto count = static_cast<std::int64_t>(distances.size());
    constexpr std::int64_t kMostDraws = 2048;
    state.draws =
        static_cast<int>(std::clamp(effort.products / (count * each), kFewest, kMostDraws));
    state.random = random_scores(state.spectrum, distances,
                                 {.angle_rad = state.angle_rad,
                                  .seed = static_cast<std::uint64_t>(scene.content_seed),
                                  .draws = state.draws},
                                 stop);
    if (state.random.mean.empty()) {
        state.random_at.clear();  // stopped
    }
}

DecayCurves curves_at(const DecayState& state, std::span<const std::int64_t> distances,
                      Engine& engine) {
    const std::vector<double> ones(state.spectrum.inv_freq_rad.size(), 1.0);
    return decay_of(engine.pair_curves(state.spectrum, distances, {ones, ones}),
                    state.spec.pairs());
}

/// Puts a distance among those that are drawn, unless it is there or not on the axis.
void draw_distance(DecayState& state, std::int64_t distance, const DecayCurves& whole) {
    const auto place = std::ranges::lower_bound(state.distances, distance);
    const std::int64_t first = state.distances.front();
    if (distance < first || place == state.distances.end() || *place == distance) {
        return;
    }
    const auto at = place - state.distances.begin();
    const auto index = static_cast<std::size_t>(distance);
    const auto insert = [&](std::vector<double>& into, const std::vector<double>& from) {
        into.insert(into.begin() + at, from[index]);
    };
    insert(state.curves.upper_bound, whole.upper_bound);
    insert(state.curves.cosine_sum, whole.cosine_sum);
    state.distances.insert(place, distance);
}

/// Of every whole distance where that can be afforded, else of those that are drawn.
void count_rises(DecayState& state, const DecayEffort& effort, Engine& engine,
                 const std::stop_token& stop) {
    const double tolerance = decay_tolerance(state.spectrum);
    state.counted = state.range * state.spec.pairs() <= effort.whole_steps;
    if (!state.counted || stop.stop_requested()) {
        state.bound_rises = find_rises(state.curves.upper_bound, tolerance);
        state.cosine_rises = find_rises(state.curves.cosine_sum, tolerance);
        return;
    }
    std::vector<std::int64_t> every(static_cast<std::size_t>(state.range) + 1);
    std::iota(every.begin(), every.end(), 0);
    const DecayCurves whole = curves_at(state, every, engine);
    state.bound_rises = find_rises(whole.upper_bound, tolerance);
    state.cosine_rises = find_rises(whole.cosine_sum, tolerance);
    state.below_zero = first_below_zero(whole.cosine_sum);
    // The curves pass through what is marked on them, however thin they are drawn.
    for (const std::int64_t at :
         {state.bound_rises.lowest_at, state.below_zero - 1, state.below_zero}) {
        draw_distance(state, at, whole);
    }
}

}  // namespace

std::int64_t DecayState::step() const {
    std::int64_t widest = 1;
    for (std::size_t i = 1; i < distances.size(); ++i) {
        widest = std::max(widest, distances[i] - distances[i - 1]);
    }
    return widest;
}

DecayState make_decay_state(const Scene& scene, const DecayEffort& effort, Engine& engine,
                            const std::stop_token& stop) {
    DecayState state;
    state.spec = rope_spec(scene);
    state.spectrum = make_spectrum(state.spec);
    state.range = scene.decay_range;
    state.logarithmic = scene.distance_axis == "logarithmic";
    state.angle_rad = static_cast<double>(scene.content_angle_deg) / 180 * std::numbers::pi;
    const std::int64_t most = std::clamp(kDrawnCost / state.spec.pairs(), kFewest, kMostDrawn);
    state.distances = drawn_distances(state.range, most, state.logarithmic);
    state.curves = curves_at(state, state.distances, engine);
    count_rises(state, effort, engine, stop);
    add_random(state, scene, effort, stop);
    return state;
}

}  // namespace ropescope::figures
