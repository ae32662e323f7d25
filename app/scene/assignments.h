// Several values put into a scene together, from --set or from a scene file: what is not named
// follows what is, in one place for both.
#pragma once

#include <string>
#include <vector>

#include "app/scene/values.h"

namespace ropescope {

struct Assignment {
    const Parameter* parameter = nullptr;
    Value value;       ///< of the parameter's type
    std::string text;  ///< as the person gave it, for messages
};

/// The model first, whatever the order; then the values in theirs. Where head_dim is named and
/// rotary_dim is not, a fully rotary scene stays so; pairs that no longer exist are replaced unless
/// pairs are named. Throws InputError naming the parameter.
Scene with_assignments(Scene scene, const std::vector<Assignment>& assignments);

/// What has to be assigned to the default scene, and no more, to arrive at this one. A model that
/// is gone is named all the same, and every other difference with it.
std::vector<Assignment> assignments_to(const Scene& scene);

}  // namespace ropescope
