// What the lengths of turned channels say of q and k together: a factor, xPos, or no rotation.
#pragma once

#include <vector>

#include "core/diagnosis/finding.h"
#include "core/diagnosis/side_list.h"

namespace ropescope::diagnosis {

/// A factor on the lengths that belongs to no method, or differs between q and k.
void add_gain(const Sides& sides, std::vector<Finding>& findings);

/// Lengths that are powers of the position. In q and k they must cancel but for the distance.
void add_stretch(const Sides& sides, std::vector<Finding>& findings);

/// A factor that differs between tokens, and lengths that no factor explains; tokens that are zero.
void add_rotation(const Sides& sides, std::vector<Finding>& findings);

}  // namespace ropescope::diagnosis
