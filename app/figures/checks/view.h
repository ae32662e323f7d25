// The view "checks": every statement that the program proves, what was measured, and the figure
// that shows it.
#pragma once

#include "app/figures/view.h"

namespace ropescope::figures {

View checks_view();

/// The finished run on this engine. It takes most of a second and depends on the engine alone, so
/// it is kept for each.
const CheckRun& finished_run(Engine& engine);

/// The settings that open the figure of a check, the view first: "view=layouts",
/// "system_b=mistral". Empty when none of our views shows it.
std::vector<std::string> settings_of(const Check& check);

}  // namespace ropescope::figures
