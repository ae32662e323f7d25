// The choices of a parameter as a person reads them in a list.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/scene/parameters.h"

namespace ropescope::gui {

/// The values that the window lists for a parameter: its choices, or the values that it offers
/// beside others (offered_values()); empty if it has no list.
const std::vector<std::string>& listed_values(const Scene& scene, const Parameter& parameter);

/// What the control of a parameter is called: "query position m", "padding tokens".
std::string control_label(const Parameter& parameter);

/// The name of a value of the parameter: "YaRN" for scaling's "yarn", the title of a model. A value
/// that has no name of its own is returned as spoken() writes it.
std::string choice_name(const Parameter& parameter, std::string_view value);

}  // namespace ropescope::gui
