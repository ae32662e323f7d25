// Values that the window offers for a parameter that takes others, too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/scene/scene.h"

namespace ropescope {

/// The models of axes_model and axes_other, in menu order, and for axis none, all, and the axes of
/// the scene's axes_model if it is a published one; empty for all other parameters.
const std::vector<std::string>& offered_values(const Scene& scene, std::string_view parameter);

}  // namespace ropescope
