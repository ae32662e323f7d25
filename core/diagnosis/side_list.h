// The sides of a dump that a comparison concerns.
#pragma once

#include <vector>

#include "core/diagnosis/explanation.h"

namespace ropescope::diagnosis {

/// q, k or both, which other memory holds.
using Sides = std::vector<const Explanation*>;

/// The sides that turn and were paired.
Sides paired(const std::vector<Explanation>& sides);

/// The sides whose spectrum is known.
Sides explained(const std::vector<Explanation>& sides);

/// All of them.
Side sides_of(const Sides& sides);

}  // namespace ropescope::diagnosis
