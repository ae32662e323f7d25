// The precision view: how far each way to compute the table is off. Sources: state.cpp, figure.cpp.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/figures/view.h"
#include "app/plot/figure.h"
#include "app/scene/scene.h"
#include "core/analysis/precision.h"
#include "core/base/index.h"

namespace ropescope::figures {

/// The errors whose first position the view gives.
inline constexpr std::array<double, 3> kErrorLevels = {1e-4, 1e-2, 1.0};

/// Where an error is reached. Without time to look at every position, `position` is one of those
/// looked at, and the error may be reached before it. -1: nowhere.
struct Reached {
    Index position = -1;
    bool exact = false;
};

/// One chain, [steps] each.
struct ChainCurves {
    const PrecisionChain* chain = nullptr;
    std::vector<double> error;  ///< the largest of all pairs, cos and sin
    std::array<Reached, kErrorLevels.size()> reached;
    ChainPair base;                      ///< at the scene's two positions
    std::vector<double> worst, typical;  ///< relative_violation()
};

struct PrecisionState {
    RopeSpec spec;
    Spectrum spectrum;             ///< of all pairs
    Spectrum sampled;              ///< of the pairs that the curves are made of
    Index m = 0, n = 0;            ///< the two positions that move together
    std::vector<Index> positions;  ///< the last of each step; the first step is position 1
    Index samples = 0;             ///< the most positions looked at in a step
    std::vector<ChainCurves> chains;
    const PrecisionChain* selected = nullptr;
    PrecisionLines lines = PrecisionLines::three;  ///< that are drawn; all chains are computed
    std::vector<float> by_pair;  ///< [sampled pairs, steps]: log10 of the selected chain's error

    bool draft = false;                 ///< only what a frame has time for
    const ChainCurves& curves() const;  ///< of the selected chain

    // For every chain at one position, in the order of precision_chains(), over all pairs:
    std::vector<double> errors_at(Index position) const;      ///< the largest of cos and sin
    std::vector<double> violations_at(Index position) const;  ///< the worst, both moved by it

    /// What takes long (Carried).
    static void each_carried(auto& state, auto visit) {
        for (auto& curves : state.chains) {
            visit(curves.error);
            visit(curves.reached);
            visit(curves.worst);
            visit(curves.typical);
        }
        visit(state.by_pair);
    }
};
/// A draft if a frame waits for it (Work::may_draft) and the whole state is not known.
std::shared_ptr<const PrecisionState> make_precision_state(const Scene& scene, const Work& work);

/// No curve is drawn below: an exact value has no place on a logarithmic axis.
inline constexpr double kPrecisionFloor = 1e-17;

/// CSV: chain, position (last of its step), largest_error (of cos and sin, all pairs),
/// violation_worst and violation_typical (of q_m . k_n when both move there, over |q| |k|).
plot::DataTable precision_data(const PrecisionState& state);

plot::Text precision_report(const PrecisionState& state);

View precision_view();

}  // namespace ropescope::figures
