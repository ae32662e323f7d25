// Computes the state of the decay view.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "app/figures/decay/decay.h"
#include "core/base/packed.h"

namespace ropescope {
template <>
inline constexpr std::size_t kMembers<DecayCurves> = 2;
template <>
inline constexpr std::size_t kMembers<RandomScores> = 3;
template <>
inline constexpr std::size_t kMembers<Rises> = 7;
}  // namespace ropescope

namespace ropescope::figures {
namespace {

/// How much a figure may cost.
struct DecayEffort {
    Index whole_steps = 0;  ///< distances times pairs, to look at every whole distance
    Index products = 0;     ///< of the random scores
};

/// What a frame has time for, and what takes about a second in the background.
constexpr DecayEffort kFrame{1 << 18, 1 << 20};
constexpr DecayEffort kBackground{1 << 28, 1 << 28};

/// Whole states that another instance of the program has computed.
struct CarriedDecay {
    Memo<Scene, DecayState> memo{3};
};

constexpr Index kMostDrawn = 1024;
constexpr Index kDrawnCost = 1 << 16;  ///< drawn distances times pairs
constexpr Index kFewest = 64;          ///< the least number of drawn distances, and of draws

/// 0, step, 2 step, ... or, for a logarithmic axis, whole numbers from 1 on at about equal ratios.
std::vector<Index> drawn_distances(Index range, Index most, bool logarithmic) {
    std::vector<Index> distances;
    if (!logarithmic) {
        const Index step = (range + most - 1) / most;
        for (Index at = 0; at < range; at += step) {
            distances.push_back(at);
        }
    } else {
        const double ratio = std::pow(to_double(range), 1.0 / to_double(most));
        for (double at = 1; at < to_double(range); at *= ratio) {
            const Index whole = round_to_index(at);
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
    const Index drawn = std::ssize(state.distances);
    const Index each = 2 * state.spec.pairs();
    // With few products to spend, thin the distances before the draws.
    const Index affordable = std::max(kFewest, effort.products / (kFewest * each));
    const Index step = (drawn + affordable - 1) / affordable;
    std::vector<Index> distances;
    for (Index i = 0; i < drawn; i += step) {
        // The last one is the end of the axis.
        state.random_at.push_back(i + step < drawn ? i : drawn - 1);
        distances.push_back(state.distances[state.random_at.back()]);
    }
    const Index count = std::ssize(distances);
    constexpr Index kMostDraws = 2048;
    state.draws = narrow<int>(std::clamp(effort.products / (count * each), kFewest, kMostDraws));
    state.random = random_scores(state.spectrum, distances,
                                 {.angle_rad = state.angle_rad,
                                  .seed = static_cast<std::uint64_t>(scene.content_seed),
                                  .draws = state.draws},
                                 stop);
    if (state.random.mean.empty()) {
        state.random_at.clear();  // stopped
    }
}

DecayCurves curves_at(const DecayState& state, std::span<const Index> distances, Engine& engine) {
    const std::vector<double> ones(state.spectrum.inv_freq_rad.size(), 1.0);
    return decay_of(engine.pair_curves(state.spectrum, distances, {ones, ones}),
                    state.spec.pairs());
}

/// Adds a distance to those that are drawn, unless it is drawn already or lies off the axis.
/// `whole` holds the curves at every distance.
void draw_distance(DecayState& state, Index distance, const DecayCurves& whole) {
    const auto place = std::ranges::lower_bound(state.distances, distance);
    const Index first = state.distances.front();
    if (distance < first || place == state.distances.end() || *place == distance) {
        return;
    }
    const auto at = place - state.distances.begin();
    const auto insert = [&](std::vector<double>& into, const std::vector<double>& from) {
        into.insert(into.begin() + at, from[distance]);
    };
    insert(state.curves.upper_bound, whole.upper_bound);
    insert(state.curves.cosine_sum, whole.cosine_sum);
    state.distances.insert(place, distance);
}

/// Looks at every whole distance if the effort allows it, else at those that are drawn.
void count_rises(DecayState& state, const DecayEffort& effort, Engine& engine,
                 const std::stop_token& stop) {
    state.counted = state.range * state.spec.pairs() <= effort.whole_steps;
    if (!state.counted || stop.stop_requested()) {
        state.bound_rises = find_rises(state.curves.upper_bound, state.tolerance);
        state.cosine_rises = find_rises(state.curves.cosine_sum, state.tolerance);
        return;
    }
    std::vector<Index> every(state.range + 1);
    std::iota(every.begin(), every.end(), 0);
    const DecayCurves whole = curves_at(state, every, engine);
    state.bound_rises = find_rises(whole.upper_bound, state.tolerance);
    state.cosine_rises = find_rises(whole.cosine_sum, state.tolerance);
    state.below_zero = first_below_zero(whole.cosine_sum);
    // The curves pass through what is marked on them, however thin they are drawn.
    for (const Index at : {state.bound_rises.lowest_at, state.below_zero - 1, state.below_zero}) {
        draw_distance(state, at, whole);
    }
}

/// The state before anything has been computed along the distances.
DecayState begun_state(const Scene& scene) {
    DecayState state;
    state.spec = rope_spec(scene);
    state.spectrum = make_spectrum(state.spec);
    state.range = scene.decay_range;
    state.logarithmic = scene.distance_axis == Scale::logarithmic;
    state.angle_deg = scene.content_angle_deg;
    state.angle_rad = to_double(state.angle_deg) / 180 * std::numbers::pi;
    state.tolerance = decay_tolerance(state.spectrum);
    return state;
}

DecayState computed_state(const Scene& scene, const DecayEffort& effort, Engine& engine,
                          const std::stop_token& stop) {
    DecayState state = begun_state(scene);
    const Index most = std::clamp(kDrawnCost / state.spec.pairs(), kFewest, kMostDrawn);
    state.distances = drawn_distances(state.range, most, state.logarithmic);
    state.curves = curves_at(state, state.distances, engine);
    count_rises(state, effort, engine, stop);
    add_random(state, scene, effort, stop);
    return state;
}

}  // namespace

Index DecayState::step() const {
    Index widest = 1;
    for (Index i = 1; i < std::ssize(distances); ++i) {
        widest = std::max(widest, distances[i] - distances[i - 1]);
    }
    return widest;
}

DecayState make_decay_state(const Scene& scene, Engine& engine, const Work& work) {
    auto& known = work.cache->results<CarriedDecay>().memo;
    if (work.may_draft && !known.find(scene)) {
        DecayState draft = computed_state(scene, kFrame, engine, work.stop);
        draft.draft = true;
        return draft;
    }
    return *work.result(
        known, scene, [&] { return begun_state(scene); },
        [&] {
            return std::make_shared<const DecayState>(
                computed_state(scene, kBackground, engine, work.stop));
        });
}

}  // namespace ropescope::figures
