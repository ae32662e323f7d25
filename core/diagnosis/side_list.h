// The sides of a dump that a comparison concerns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/diagnosis/explanation.h"

namespace ropescope::diagnosis {

/// q, k or both, which other memory holds.
using Sides = std::vector<const Explanation*>;

/// The sides that turn and were paired.
Sides paired(const std::vector<Explanation>& sides);

/// The sides whose spectrum is known.
Sides explained(const std::vector<Explanation>& sides);

/// "q and k", "q" or "k".
std::string names(const Sides& sides);

/// Whether two texts are the same but for the letter of the side.
bool says_the_same(std::string_view of_q, std::string_view of_k);

}  // namespace ropescope::diagnosis
