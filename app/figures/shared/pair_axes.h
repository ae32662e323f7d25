// Which axis turns each pair of a scheme, for several views.
#pragma once

#include <string>
#include <vector>

#include "app/plot/color.h"
#include "core/schemes/rotary_scheme.h"

namespace ropescope::figures {

/// In place of the number of an axis.
inline constexpr Index kSeveralAxes = -1, kNoAxis = -2;

/// The colour of what an axis counts: frames (time), rows (height), columns (width), or something
/// else.
plot::Role role_of_side(Side side);
/// What an axis of the scheme counts.
Side side_of_axis(const RotaryScheme& scheme, Index axis);

/// The axis that turns each pair, or one of the two above.
std::vector<Index> axes_of_pairs(const Spectrum& spectrum);

/// "16 by t, 24 by h": how many of these pairs each axis turns. `axis_of_pair` has an entry for
/// each pair that is counted.
std::string pairs_by_axis(const std::vector<std::string>& names,
                          const std::vector<Index>& axis_of_pair);

}  // namespace ropescope::figures
