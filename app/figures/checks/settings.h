// From a check to the figure that shows it.
#pragma once

#include <string>
#include <vector>

#include "core/checks/check.h"

namespace ropescope::figures {

/// The settings that open the figure of a check, the view first: "view=layouts",
/// "system_b=mistral". Empty if no view shows the check.
std::vector<std::string> settings_of(const Check& check);

}  // namespace ropescope::figures
