// The controls of a lesson's page have the names that its tasks and hints use.
#include "app/pages/step_controls.h"

#include <gtest/gtest.h>
#include <memory>
#include <set>

#include "app/figures/shared/choice_names.h"
#include "app/figures/view.h"
#include "app/lessons/lesson.h"
#include "app/lessons/lesson_checks.h"
#include "app/pages/page.h"
#include "app/scene/values.h"
#include "core/engine/engine.h"

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

/// A list whose task is done with another value than its solution tells its reader something wrong.
TEST(StepControls, OneValueOfAListDoesTheTask) {
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    figures::FigureCache cache;
    each_list([&](const std::string& lesson, const lessons::Step& step,
                  const StepControl& control) {
        if (step.task->solution.size() > 1) {
            return;
        }
        for (std::size_t i = 0; i < control.values.size(); ++i) {
            const Scene scene = frame_scene(step.scene, {control}, i);
            EXPECT_EQ(lessons::is_fulfilled(*step.task, scene, *engine, cache), i == control.solved)
                << lesson << ", " << step.title << ": " << control.values[i];
        }
    });
}

TEST(StepControls, NumbersHaveAsManyDigitsAsAReaderCanSay) {
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    for (const figures::View& view : figures::views()) {
        Scene scene;
        scene.view = view.id;
        for (const StepControl& control : controls_of(view, scene, 21, *engine)) {
            std::set<std::string> different(control.values.begin(), control.values.end());
            EXPECT_EQ(different.size(), control.values.size()) << view.id;
            for (const std::string& value : control.values) {
                const bool fraction =
                    is_number(*control.parameter) && value.find('.') != value.npos;
                EXPECT_LE(fraction ? value.size() : 1U, 6U) << view.id << ": " << value;
            }
        }
    }
}

}  // namespace
}  // namespace ropescope::pages
