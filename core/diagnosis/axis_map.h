// Which axis of its positions turns each pair, for models that turn in several axes.
// Sources: axis_map.cpp, axis_findings.cpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/diagnosis/dump.h"
#include "core/diagnosis/finding.h"
#include "core/diagnosis/speeds.h"
#include "core/schemes/rotary_scheme.h"

namespace ropescope::diagnosis {

/// No axis explains the pair; or several do, because the pair hardly turns or the axes agree.
inline constexpr Index kNoAxis = -1, kAnyAxis = -2;

struct AxisMap {
    Index axes = 1;
    std::vector<std::string> names = {};  ///< "t", "h", "w"
    /// [pairs]: the axis, or one of the two above; the speed in radians per unit of the axis,
    /// signed, and its bound.
    std::vector<Index> axis = {};
    std::vector<double> omega = {}, error = {};

    bool explained() const;
};

/// Finds the axis and the speed of each pair. `positions` must have the length of the turns.
AxisMap recover_axis_map(const Turns& turns, const DumpPositions& positions,
                         const AngleNoise& noise);

/// Whether all axes of all tokens agree, as in text.
bool axes_agree(const DumpPositions& positions);

/// The map as findings: what turns by what; whether it is that of a known model or of `expected`
/// (which may be null), or has axes exchanged.
std::vector<Finding> axis_findings(const AxisMap& map, std::span<const ChannelPair> pairs,
                                   Index head_dim, const std::string& side,
                                   const RotaryScheme* expected);

/// "pairs 0 to 15 by t, 16 to 39 by h, 40 to 63 by w"; for maps in turn: "pairs by t, h, w in
/// turn".
std::string describe_map(const AxisMap& map);

}  // namespace ropescope::diagnosis
