// Joins the checks of the demo models and of the lessons.
#include "app/lessons/further_checks.h"

#include "app/lessons/lesson_checks.h"
#include "core/checks/select_checks.h"
#include "core/demo/demo_checks.h"

namespace ropescope::lessons {

const std::vector<Check>& further_checks() {
    static const std::vector<Check> checks = [] {
        std::vector<Check> all = demo::demo_checks();
        all.insert(all.end(), lesson_checks().begin(), lesson_checks().end());
        return all;
    }();
    return checks;
}

CheckRun unstarted_run() {
    return {.results = {}, .asked = select_checks("*", further_checks())};
}

}  // namespace ropescope::lessons
