// Which axis turns each pair of a scheme, for several views.
#pragma once

#include <string>
#include <vector>

#include "core/schemes/rotary_scheme.h"

namespace ropescope::figures {

/// In place of the number of an axis.
inline constexpr Index kSeveralAxes = -1, kNoAxis = -2;

/// The axis that turns each pair, or one of the two above.
std::vector<Index> axes_of_pairs(const Spectrum& spectrum);

/// "16 by t, 24 by h": how many of these pairs each axis turns. `axis_of_pair` has an entry for
/// each pair that is counted.
std::string pairs_by_axis(const std::vector<std::string>& names,
                          const std::vector<Index>& axis_of_pair);

}  // namespace ropescope::figures
