// The choices of a parameter as a person reads them in a list.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/scene/parameters.h"
#include "app/scene/scene.h"

namespace ropescope::figures {

/// The values that are listed for a parameter: its choices, or the values that it offers beside
/// others (offered_values()); empty if it has no list.
const std::vector<std::string>& listed_values(const Scene& scene, const Parameter& parameter);

/// The name of a value of the parameter: "YaRN" for scaling's "yarn", the title of a model. A value
/// that has no name of its own is returned as spoken() writes it.
std::string choice_name(const Parameter& parameter, std::string_view value);

/// The heading under which a list shows the value; "" if it stands under none.
std::string_view choice_group(const Parameter& parameter, std::string_view value);

}  // namespace ropescope::figures
