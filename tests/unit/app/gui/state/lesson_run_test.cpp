// A lesson whose numbers cannot be computed yet: a page fetches the weights of the trained models.
#include "app/gui/state/lesson_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/gui/state/app_state.h"

namespace ropescope::gui {
namespace {

using ::testing::HasSubstr;

/// Its number has no value while the target is shorter than the trained length.
constexpr const char* kLesson = R"({
  "order": 1, "title": "T", "about": "A.",
  "steps": [
    {"title": "One", "text": [{"says": "It is {needed_factor}.", "holds": ["needed_factor > 0"]}],
     "scene": ["view=context", "original_length=4096", "target_length=4096"]},
    {"title": "Two", "text": [{"says": "It is {needed_factor}.", "holds": ["needed_factor > 0"]}],
     "scene": ["target_length=100"]}
  ]})";

TEST(LessonRun, SaysWhatCannotBeComputedYetAndTriesAgain) {
    lessons::Lesson lesson = lessons::read_lesson(kLesson, "t", "t.json");
    AppState state;
    open_lesson(state, "one-pair");  // which makes the engine
    state.lessons.lesson = &lesson;
    state.lessons.step = 0;
    next_step(state);
    EXPECT_EQ(state.lessons.step, 1U);
    EXPECT_EQ(state.lessons.text.title, "Two");
    EXPECT_THAT(state.lessons.text.text, HasSubstr("are fewer than the trained"));
    lesson.steps[1].scene.target_length = 8192;  // now it can be computed
    watch_task(state, "");
    EXPECT_EQ(state.lessons.text.text, "It is 2.");
    EXPECT_FALSE(state.lessons.text_due);
}

}  // namespace
}  // namespace ropescope::gui
