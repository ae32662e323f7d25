// Several values put into a scene together, from --set or from a scene file: parameters that are
// not named follow those that are.
#pragma once

#include <string>
#include <vector>

#include "app/scene/values.h"

namespace ropescope {

struct Assignment {
    const Parameter* parameter = nullptr;
    Value value;       ///< of the parameter's type
    std::string text;  ///< as it was given, for messages
};

/// Opens the model first, wherever it stands, then puts the values in, in their order, and lets the
/// others follow (with_followers()). Throws InputError naming the parameter.
Scene with_assignments(Scene scene, const std::vector<Assignment>& assignments);

/// The fewest assignments that lead from the default scene to this one. A model that can no longer
/// be opened is named all the same, and every other difference with it.
std::vector<Assignment> assignments_to(const Scene& scene);

}  // namespace ropescope
