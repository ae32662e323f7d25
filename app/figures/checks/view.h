// The view "checks": every statement that the program proves, what was measured, and the figure
// that shows it.
#pragma once

#include "app/figures/view.h"

namespace ropescope::figures {

View checks_view();

/// A finished run of every check on this engine.
CheckRun run_all_checks(Engine& engine);

}  // namespace ropescope::figures
