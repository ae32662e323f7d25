// Which parameters have a control in the window now, and what stands in it.
#pragma once

#include <string>
#include <vector>

#include "app/scene/parameters.h"
#include "app/scene/scene.h"

namespace ropescope::gui {

/// In the order of the view's controls: those that its figure reads in this scene. The bar shows
/// the model, the navigation the view.
std::vector<const Parameter*> shown_controls(const Scene& scene);

/// The value of a parameter as its control shows it: with gaps between thousands.
std::string shown_value(const Scene& scene, const Parameter& parameter);

}  // namespace ropescope::gui
