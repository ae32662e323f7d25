// What the precision view computes, and the parts of its figure.
#pragma once

#include <array>
#include <stop_token>
#include <vector>

#include "app/plot/figure.h"
#include "app/scene/scene.h"
#include "core/analysis/precision.h"

namespace ropescope::figures {

/// How much a figure may cost.
struct PrecisionEffort {
    int steps_per_octave = 2;  ///< of positions
    std::int64_t entries = 0;  ///< of tables, all chains together; at least one row a step
    int most_pairs = 64;       ///< evenly chosen where there are more
    std::int64_t search = 0;   ///< entries of tables for each first position of an error
};

/// Errors whose first position is told.
inline constexpr std::array<double, 3> kErrorLevels = {1e-4, 1e-2, 1.0};

/// Where an error is reached: the first position, or where there was no time to look one by one,
/// one that has been looked at. -1: nowhere.
struct Reached {
    std::int64_t position = -1;
    bool exact = false;
};

/// One chain, step by step of the positions.
struct ChainCurves {
    const PrecisionChain* chain = nullptr;
    std::vector<double> error;  ///< largest of all pairs, cos and sin
    std::array<Reached, kErrorLevels.size()> reached;
    ChainPair base;                      ///< at the scene's two positions
    std::vector<double> worst, typical;  ///< relative_violation()
};

struct PrecisionState {
    RopeSpec spec;
    Spectrum spectrum;                    ///< of the pairs looked at
    std::vector<int> pairs;               ///< which these are
    std::int64_t m = 0, n = 0;            ///< the two positions that move together
    std::vector<std::int64_t> positions;  ///< last of each step; the first step is position 1
    std::int64_t samples = 0;             ///< positions looked at in a step, at most
    std::vector<ChainCurves> chains;
    const PrecisionChain* selected = nullptr;
    std::vector<float> by_pair;  ///< [pairs, steps]: log10 of the selected chain's error

    const ChainCurves& curves() const;  ///< of the selected chain
};
PrecisionState make_precision_state(const Scene& scene, const PrecisionEffort& effort,
                                    const std::stop_token& stop);

/// A curve never lies lower: what is exact has no place on a logarithmic axis.
inline constexpr double kPrecisionFloor = 1e-17;

/// A line for each chain.
std::vector<plot::LegendEntry> chain_legend(const PrecisionState& state);
plot::Panel error_panel(const PrecisionState& state);
plot::Panel violation_panel(const PrecisionState& state);
plot::Panel by_pair_panel(const PrecisionState& state);

/// CSV: chain, position (last of its step), largest_error (of cos and sin, all pairs),
/// violation_worst and violation_typical (of q_m . k_n when both move there, over |q| |k|).
plot::DataTable precision_data(const PrecisionState& state);
std::string precision_report(const PrecisionState& state);

}  // namespace ropescope::figures
