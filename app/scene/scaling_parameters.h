// The parameters of the scaling methods (core/scaling): which method, what several methods share,
// and what each method brings by its description.
#pragma once

#include <vector>

#include "app/scene/parameters.h"

namespace ropescope {

/// Longest context a parameter may name, in positions: far beyond any published model.
inline constexpr double kLongestContext = 1 << 29;

std::vector<Parameter> scaling_parameters();

}  // namespace ropescope
