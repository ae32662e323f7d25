// Compares positions on grids of somebody's making with right ones, and names the fault.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/positions/fault_pairs.h"
#include "core/positions/grid_faults.h"

namespace ropescope {

/// The first token, row after row, that has another position, and the axis of that position.
struct GridDifference {
    Index b = 0, token = 0, axis = 0;
    double expected = 0, found = 0;
    TokenOrigin origin = {};
};

/// A fault that the layout has something to do with, and that makes the right positions all the
/// same.
struct UnseenGridFault {
    std::string_view code, shown_by;
};

struct GridVerdict {
    std::optional<GridDifference> first = {};
    Index differing = 0;                    ///< tokens
    Index tokens = 0;                       ///< that were compared: all that turn
    std::vector<NamedFault> findings = {};  ///< one for each fault that makes these positions
    /// Two at once, if no single fault makes these positions.
    std::vector<FaultPair> pairs = {};
    std::vector<UnseenGridFault> unseen = {};
    bool still_differ = false;  ///< tokens that do not turn, whose positions nothing uses

    bool right() const { return !first; }
};

/// By how much a position may differ on each axis, in units of position. Positions that are whole
/// on all tokens of an axis are compared exactly. `unit_roundoff` is that of the numbers at hand:
/// 2^-24 for fp32 and fp64, whose positions mostly were computed in fp32, 2^-11 for fp16, 2^-8 for
/// bf16.
std::vector<double> position_tolerances(const LayoutPositions& right, double unit_roundoff);

/// Judges positions [axes, batch, length] of the plan's layout. Tokens that do not turn do not
/// count. Throws InputError as grid_layout_positions() does.
GridVerdict judge_positions(const GridPlan& right, const GridValues& given, double unit_roundoff);

}  // namespace ropescope
