// Whether something to do has been done.
#pragma once

#include <vector>

#include "app/figures/figure_cache.h"
#include "app/lessons/lesson.h"
#include "core/engine/engine.h"

namespace ropescope::lessons {

/// Whether every `until` of the task holds in the scene. A condition that cannot be computed there
/// (an encoding that a hand on a slider has made inconsistent, say) does not hold.
bool is_fulfilled(const Task& task, const Scene& scene, Engine& engine,
                  figures::FigureCache& cache);

/// The step's scene with the solution of its task applied.
Scene solved_scene(const Step& step);

}  // namespace ropescope::lessons
