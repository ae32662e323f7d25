// Every statement of every lesson as a check.
#pragma once

#include <vector>

#include "app/figures/work.h"
#include "app/lessons/lesson.h"
#include "core/checks/check.h"
#include "core/checks/check_run.h"
#include "core/engine/engine.h"

namespace ropescope::lessons {

/// One check for each step that states something or whose task is done in the figure,
/// "lesson.one-pair.3" for the third step: all
/// statements hold, all numbers of its texts can be computed, its task is not done before somebody
/// does it, and its solution does it. `measured` is the number of statements that fail.
const std::vector<Check>& lesson_checks();

// The checks that the program has beside those of the library.

/// Those of the demo models and then those of the lessons.
const std::vector<Check>& further_checks();

/// A run of every check of the library and of the program, before its first result.
CheckRun unstarted_run();

// Whether something to do has been done.

/// Whether every `until` of the task holds in the scene. A condition that cannot be computed there
/// (an encoding that a hand on a slider has made inconsistent, say) does not hold.
bool is_fulfilled(const Task& task, const Scene& scene, Engine& engine,
                  figures::FigureCache& cache);

/// The step's scene with the solution of its task applied.
Scene solved_scene(const Step& step);

}  // namespace ropescope::lessons
