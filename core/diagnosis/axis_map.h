// Which axis of its positions turns each pair, for models that turn in several axes.
// Sources: axis_map.cpp, axis_findings.cpp, axis_places.cpp.
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

/// No axis explains the pair; or several do, because the pair hardly turns or the axes agree; or it
/// turns by a sum over several axes, as pairs with learned directions do.
inline constexpr Index kNoAxis = -1, kAnyAxis = -2, kMixedAxes = -3;

struct AxisMap {
    Index axes = 1;
    std::vector<std::string> names = {};  ///< "t", "h", "w"
    /// [pairs]: the axis, or one of the three above; the speed in radians per unit of the axis,
    /// signed, and its bound. Of a mixed pair: the length of its row of speeds.
    std::vector<Index> axis = {};
    std::vector<double> omega = {}, error = {};
    /// [pairs][axes], radians per unit of each axis, of mixed pairs; empty for the others.
    std::vector<std::vector<double>> mixed = {};

    bool explained() const;
    bool has_mixed() const;
    /// The speeds of a pair by all axes: one of them at most is not zero unless the pair is mixed.
    std::vector<double> row(Index pair) const;
};

/// Finds the axis and the speed of each pair. `positions` must have the length of the turns.
AxisMap recover_axis_map(const Turns& turns, const DumpPositions& positions,
                         const AngleNoise& noise);

/// The map that this scheme has on these channels, turned round if `sign` is -1; its speeds are
/// exact. Empty if the scheme turns channels that are no pair here.
std::optional<AxisMap> axis_map_of(const RotaryScheme& scheme, Index head,
                                   std::span<const ChannelPair> pairs, int sign);

/// Whether the map predicts every angle within its rounding. Speeds above half a turn from one
/// token to the next cannot be measured, and their angles can be predicted.
bool explains(const AxisMap& map, const Turns& turns, const DumpPositions& positions,
              const AngleNoise& noise);

/// Tokens that turn by this map at other positions than stated, if that explains all of them: ids
/// that were counted otherwise. Empty if none does, if the map mixes axes, or if some angle fits no
/// position.
std::optional<Finding> misplaced_tokens(const AxisMap& map, const Turns& turns,
                                        const DumpPositions& positions, const AngleNoise& noise,
                                        Side side);

/// Whether all axes of all tokens agree, as in text.
bool axes_agree(const DumpPositions& positions);

/// A published model of several axes.
struct PublishedScheme {
    std::string title;
    RotaryScheme scheme;
};
/// Those with these sizes.
std::vector<PublishedScheme> published_schemes(Index head_dim, Index axes);

/// The map as findings: what turns by what; whether it is that of a known model or of `expected`
/// (which may be null), or has axes exchanged. `head` is the head of a scheme whose heads differ.
std::vector<Finding> axis_findings(const AxisMap& map, std::span<const ChannelPair> pairs,
                                   Index head_dim, Side side, const RotaryScheme* expected,
                                   Index head = 0);

/// "pairs 0 to 15 by t, 16 to 39 by h, 40 to 63 by w"; for maps in turn: "pairs by t, h, w in
/// turn".
Words describe_map(const AxisMap& map);

}  // namespace ropescope::diagnosis
