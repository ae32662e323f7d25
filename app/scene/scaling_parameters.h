#pragma once

// The parameters of the scaling methods (core/scaling): which method, and each method's own
// fields. Apart from the others because every method brings several.

#include <vector>

#include "app/scene/parameters.h"

namespace ropescope {

/// Longest context a parameter may name, in positions: far beyond any published model.
inline constexpr double kLongestContext = 1 << 29;

std::vector<Parameter> scaling_parameters();

}  // namespace ropescope
