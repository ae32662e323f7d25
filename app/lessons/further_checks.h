// The checks that the program has beside those of the library.
#pragma once

#include <vector>

#include "core/checks/check.h"
#include "core/checks/check_run.h"

namespace ropescope::lessons {

/// Those of the demo models and then those of the lessons.
const std::vector<Check>& further_checks();

/// A run of every check of the library and of the program, before its first result.
CheckRun unstarted_run();

}  // namespace ropescope::lessons
