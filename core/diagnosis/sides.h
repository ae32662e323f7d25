// What the two sides of a dump say together: q and k must turn alike.
#pragma once

#include <vector>

#include "core/diagnosis/explanation.h"

namespace ropescope::diagnosis {

/// Findings about layout, spectrum, sign, positions, gain and table of all sides; those of each
/// side alone among them.
std::vector<Finding> findings_of(const std::vector<Explanation>& sides);

}  // namespace ropescope::diagnosis
