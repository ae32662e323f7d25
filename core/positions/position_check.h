// Compares positions of somebody's making with right ones, and names the fault.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/faults/codes.h"
#include "core/positions/grid_faults.h"
#include "core/positions/id_faults.h"

namespace ropescope {

/// The first token, row after row, that has another position, and the axis of that position.
struct PositionDifference {
    Index b = 0, token = 0, axis = 0;
    double expected = 0, found = 0;
    TokenOrigin origin = {};
};

/// A delta that is another.
struct DeltaDifference {
    Index b = 0, expected = 0, found = 0;
};

/// Two faults that make the positions at hand together, and neither does alone.
struct FaultPair {
    faults::NamedFault first, second;
};

/// A fault that the layout has something to do with, and that makes the right positions all the
/// same.
struct UnseenFault {
    std::string_view code, shown_by;
};

/// More pairs than these tell a reader nothing.
inline constexpr Index kMostFaultPairs = 4;

struct PositionVerdict {
    std::optional<PositionDifference> first = {};
    std::optional<DeltaDifference> delta = {};
    Index differing = 0;  ///< tokens
    Index tokens = 0;     ///< that were compared
    std::vector<faults::NamedFault> findings =
        {};  ///< one for each fault that makes these positions
    /// Two at once, if no single fault makes these positions; at most kMostFaultPairs, and each two
    /// faults once.
    std::vector<FaultPair> pairs = {};
    std::vector<UnseenFault> unseen = {};
    bool others_differ = false;  ///< tokens that do not count, whose positions nothing uses
    /// What all positions of an axis are too large by, an entry for each axis; empty if they are
    /// not too large by one number, and if they are right.
    std::vector<double> offsets = {};

    bool right() const { return !first && !delta; }
};

/// By how much a position may differ on each axis, in units of position. Positions that are whole
/// on all tokens of an axis, as ids are, are compared exactly. `unit_roundoff` is that of the
/// numbers at hand: 2^-24 for fp32 and fp64, whose positions mostly were computed in fp32, 2^-11
/// for fp16, 2^-8 for bf16.
std::vector<double> position_tolerances(const LayoutPositions& right, double unit_roundoff);

/// Judges positions of the plan's shape. Padding and tokens that do not turn do not count. The
/// deltas count if `given` has some. Throws InputError as layout_ids() and grid_layout_positions()
/// do.
PositionVerdict judge_positions(const IdPlan& right, const MultimodalIds& given);
PositionVerdict judge_positions(const GridPlan& right, const LayoutPositions& given,
                                double unit_roundoff);

}  // namespace ropescope
