// Every statement of every lesson as a check.
#pragma once

#include <vector>

#include "core/checks/check.h"

namespace ropescope::lessons {

/// One check for each step that states something, "lesson.one-pair.3" for the third step: all
/// statements hold, all numbers of its texts can be computed, its task is not done before somebody
/// does it, and its solution does it. `measured` is the number of statements that fail.
const std::vector<Check>& lesson_checks();

}  // namespace ropescope::lessons
