// What the decay view computes, and the parts of its figure.
#pragma once

#include <stop_token>
#include <vector>

#include "app/plot/figure.h"
#include "app/scene/scene.h"
#include "core/analysis/decay.h"
#include "core/analysis/random_scores.h"
#include "core/engine/engine.h"

namespace ropescope::figures {

/// How much a figure may cost: a frame, or what the background has.
struct DecayEffort {
    std::int64_t whole_steps = 0;  ///< times pairs: distances looked at one by one
    std::int64_t products = 0;     ///< of the random scores
};

struct DecayState {
    RopeSpec spec;
    Spectrum spectrum;
    std::int64_t range = 0;
    bool logarithmic = false;
    double angle_rad = 0;

    std::vector<std::int64_t> distances;  ///< drawn, ascending
    DecayCurves curves;                   ///< at those
    std::vector<std::size_t> random_at;   ///< the distances that the random scores are of
    RandomScores random;
    int draws = 0;

    bool counted = false;  ///< every whole distance has been looked at
    Rises bound_rises, cosine_rises;
    std::int64_t below_zero = -1;  ///< first distance with a negative cosine sum; -1: none

    /// Distances between two that are drawn; 1: all are.
    std::int64_t step() const;
};
DecayState make_decay_state(const Scene& scene, const DecayEffort& effort, Engine& engine,
                            const std::stop_token& stop);

/// The upper panel "bound" and the lower one "score".
plot::Panel bound_panel(const DecayState& state);
plot::Panel score_panel(const DecayState& state);

/// CSV: distance_positions, upper_bound, cosine_sum, bound_rises and cosine_rises (1 where the next
/// drawn value is higher), random_mean, random_low_5_percent, random_high_5_percent (NaN where
/// none was computed).
plot::DataTable decay_data(const DecayState& state);

std::string decay_report(const DecayState& state);

}  // namespace ropescope::figures
