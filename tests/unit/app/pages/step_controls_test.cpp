// The controls of a lesson's page have the names that its tasks and hints use.
#include "app/pages/step_controls.h"

#include <gtest/gtest.h>

#include "app/figures/shared/choice_names.h"
#include "app/lessons/lesson.h"
#include "app/pages/page.h"
#include "app/scene/values.h"

namespace ropescope::pages {
namespace {

/// Calls `each` with every list on the pages of lessons.
template <typename Each>
void each_list(Each each) {
    for (const lessons::Lesson& lesson : lessons::all_lessons()) {
        for (const lessons::Step& step : lesson.steps) {
            for (const StepControl& control : controls_of(step)) {
                if (!is_number(*control.parameter)) {
                    each(lesson.id, step, control);
                }
            }
        }
    }
}

TEST(StepControls, ListsHaveTheNamesOfTheWindow) {
    std::size_t lists = 0;
    each_list([&](const std::string& lesson, const lessons::Step&, const StepControl& control) {
        const FilmControl shown = film_controls({control}).front();
        ++lists;
        for (std::size_t i = 0; i < control.values.size(); ++i) {
            EXPECT_EQ(shown.labels[i], figures::choice_name(*control.parameter, control.values[i]))
                << lesson;
        }
    });
    EXPECT_GT(lists, 10U);
}

}  // namespace
}  // namespace ropescope::pages
