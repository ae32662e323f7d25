// Judges the conditions of a task in the scene that is shown.
#include "app/lessons/task_state.h"

#include <algorithm>

#include "app/lessons/quantities.h"
#include "app/scene/settings.h"
#include "core/base/error.h"

namespace ropescope::lessons {

bool is_fulfilled(const Task& task, const Scene& scene, Engine& engine,
                  figures::FigureCache& cache) {
    try {
        const Names names = names_of(scene, engine, cache);
        return std::ranges::all_of(task.until, [&](const std::string& statement) {
            return judge(statement, names).holds;
        });
    } catch (const InputError&) {
        return false;
    }
}

Scene solved_scene(const Step& step) {
    return step.task ? apply_settings(step.scene, step.task->solution) : step.scene;
}

}  // namespace ropescope::lessons
