// Computes the state of the decay view.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numbers>
#include <numeric>

#include "app/figures/decay/decay.h"
#include "app/figures/shared/text.h"
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

// Writes the decay view as text and as CSV.

namespace {

/// "45", "0.024": two digits, so that a share above zero never becomes 0.
plot::Number percent_text(double share) {
    return share >= 0.01 ? fixed_text(100 * share, 0) : general_text(100 * share, 2);
}

plot::Text rises_sentence(const DecayState& state, const char* name, const Rises& rises) {
    if (rises.constant()) {
        return plot::say("{} is {} at every distance.\n", name, fixed_text(rises.lowest, 4));
    }
    if (rises.rising == 0) {
        return plot::say("{} never rises: it has {} {}.\n", name, whole_text(rises.steps),
                         steps_noun(state, rises));
    }
    // Indices of the curve: distances themselves if each was looked at.
    const auto distance_at = [&](Index i) {
        return whole_text(state.counted ? i : state.distances[i]);
    };
    return plot::say(
        "{} rises on {} of {} {} ({} %), first after distance {}; lowest {} at {}; at {} it stands "
        "{} above an "
        "earlier, nearer value.\n",
        name, whole_text(rises.rising), whole_text(rises.steps), steps_noun(state, rises),
        percent_text(rises.share()), distance_at(rises.first), fixed_text(rises.lowest, 4),
        distance_at(rises.lowest_at), distance_at(rises.regained_at),
        fixed_text(rises.highest_regain, 4));
}

plot::Text meaning(const DecayState& state) {
    plot::Text text = "What this means for distance decay\n";
    text += rises_sentence(state, "The bound", state.bound_rises);
    text += rises_sentence(state, "The sum of cosines (q = k)", state.cosine_rises);
    if (state.below_zero >= 0) {
        text += plot::say(
            "The sum of cosines is first negative at distance {}: there a key equal to the query "
            "scores below the mean of unrelated ones, which is zero.\n",
            whole_text(state.below_zero));
    } else if (state.counted) {
        text += plot::say("The sum of cosines is never negative up to here.\n");
    }
    text +=
        plot::say("Random content within {} degrees: its mean is {} of the sum of cosines{}\n\n",
                  state.angle_deg, fixed_text(mean_share(state.angle_rad), 3),
                  mean_share(state.angle_rad) < 1e-9
                      ? ": unrelated q and k have a mean of zero at every distance."
                      : "; the band around it holds the draws from 5 to 95 %.");
    return text;
}

}  // namespace

plot::Text decay_report(const DecayState& state) {
    constexpr Index kMostRows = 33;
    const Index count = std::ssize(state.random_at);
    const Index rows_shown = std::min(count, kMostRows);
    std::vector<std::vector<std::string>> rows;
    for (Index row = 0; row < rows_shown; ++row) {
        const Index r = rows_shown == 1 ? 0 : row * (count - 1) / (rows_shown - 1);
        const Index i = state.random_at[r];
        rows.push_back(
            {fmt::format("{}", state.distances[i]), fixed_text(state.curves.upper_bound[i], 4),
             signed_text(state.curves.cosine_sum[i], 4), signed_text(state.random.mean[r], 3),
             signed_text(state.random.low[r], 3), signed_text(state.random.high[r], 3)});
    }
    return meaning(state) +
           text_table({"distance", "upper bound", "sum of cosines", "random mean", "5 %", "95 %"},
                      rows) +
           plot::say(
               "The rows are evenly chosen. Random: {} draws of q and k, unit vectors in every "
               "pair.\n",
               whole_text(state.draws));
}

plot::DataTable decay_data(const DecayState& state) {
    const Index count = std::ssize(state.distances);
    const auto rising = [&](const std::vector<double>& curve) {
        std::vector<Index> flags(count, 0);
        for (Index i = 0; i + 1 < count; ++i) {
            flags[i] = curve[i + 1] > curve[i] + state.tolerance ? 1 : 0;
        }
        return flags;
    };
    const auto spread = [&](const std::vector<double>& values) {
        std::vector<double> column(count, std::numeric_limits<double>::quiet_NaN());
        for (Index r = 0; r < std::ssize(values); ++r) {
            column[state.random_at[r]] = values[r];
        }
        return column;
    };
    plot::DataTable table = {{{"distance_positions", state.distances},
                              {"upper_bound", state.curves.upper_bound},
                              {"cosine_sum", state.curves.cosine_sum},
                              {"bound_rises_by_next_row", rising(state.curves.upper_bound)},
                              {"cosine_rises_by_next_row", rising(state.curves.cosine_sum)},
                              {"random_mean", spread(state.random.mean)},
                              {"random_low_5_percent", spread(state.random.low)},
                              {"random_high_5_percent", spread(state.random.high)}}};
    if (state.measured) {
        const auto at_distances = [&](const std::vector<double>& values) {
            std::vector<double> column(count, std::numeric_limits<double>::quiet_NaN());
            for (Index i = 0; i < count; ++i) {
                if (state.distances[i] < std::ssize(values)) {
                    column[i] = values[state.distances[i]];
                }
            }
            return column;
        };
        const DecayState::Measured& measured = *state.measured;
        table.columns.push_back(
            {"measured_mean_cosine", at_distances(measured.by_distance.cosine)});
        if (!measured.by_distance.probability.empty()) {
            const Index head = measured.at.layer * measured.heads + measured.at.head;
            table.columns.push_back(
                {"measured_probability", at_distances(measured.by_distance.probability[head])});
        }
    }
    return table;
}

}  // namespace ropescope::figures
