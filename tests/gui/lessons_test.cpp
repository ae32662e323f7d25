// Lessons as a person takes them: from the list, step by step, by doing what is asked.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/gui/state/actions.h"
#include "app/gui/state/lesson_run.h"
#include "app/gui/state/preferences.h"
#include "app/gui/state/regions.h"
#include "app/gui/state/scene_files.h"
#include "app/scene/scene_json.h"
#include "tests/gui/person.h"
#include "tests/support/needs_egl.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

const headless::ScreenshotOptions kWindow = {.width = 1000, .height = 760};

/// A point of the figure's panel, found by trying: the window's panels depend on its fonts.
bool point_at_panel(Person& person) {
    const plot::Rect figure = person.place("figure");
    constexpr int kTries = 24;
    for (int row = 0; row < kTries; ++row) {
        for (int column = 0; column < kTries; ++column) {
            person.gui().input.mouse =
                plot::Pixel{figure.x + (column + 0.5) / kTries * figure.width,
                            figure.y + (row + 0.5) / kTries * figure.height};
            person.frames(1);
            if (person.state().lessons.done) {
                return true;
            }
        }
    }
    return false;
}

/// Types into the fields of the controls where there are some, and sets the rest.
void set_in_window(Person& person, const std::string& setting) {
    const std::size_t equals = setting.find('=');
    const std::string name = setting.substr(0, equals), value = setting.substr(equals + 1);
    const std::string control = "value of " + name;
    if (!person.find(control)) {
        EXPECT_TRUE(gui::set_value(person.state(), name, value)) << person.state().error;
        return person.frames(2);
    }
    person.state().focus.go_to(person.probe(control).id);  // scrolls it into view
    person.frames(4);
    person.click(control);
    person.type(value);
    person.key(GLFW_KEY_ENTER);
}

void do_task(Person& person) {
    const gui::LessonRun& run = person.state().lessons;
    const lessons::Task& task = *run.current().task;
    if (task.question) {
        const std::size_t wrong = task.question->right == 0 ? 1 : 0;
        person.click(fmt::format("answer {}", wrong + 1));
        EXPECT_FALSE(run.done) << "a wrong answer is not enough";
        person.click(fmt::format("answer {}", task.question->right + 1));
    } else if (!task.point_at.empty()) {
        EXPECT_TRUE(point_at_panel(person)) << task.point_at;
        person.gui().input.mouse.reset();
    } else {
        for (const std::string& setting : task.solution) {
            set_in_window(person, setting);
        }
    }
    person.frames(2);
}

class LessonWalk : public testing::TestWithParam<std::size_t> {};

TEST_P(LessonWalk, FromStartToEndByDoingWhatIsAsked) {
    ROPESCOPE_NEEDS_EGL();
    Person person({}, kWindow);
    const lessons::Lesson& lesson = lessons::all_lessons()[GetParam()];
    gui::open_lesson(person.state(), lesson.id);
    const gui::LessonRun& run = person.state().lessons;
    for (std::size_t step = 0; step < lesson.steps.size(); ++step) {
        person.frames(2);
        SCOPED_TRACE(fmt::format("{} step {}", lesson.id, step + 1));
        ASSERT_TRUE(run.open());
        EXPECT_EQ(run.step, step);
        EXPECT_EQ(person.scene(), lesson.steps[step].scene);
        EXPECT_EQ(person.state().shown.error, "");
        if (run.current().task) {
            EXPECT_FALSE(run.done);
            do_task(person);
            EXPECT_TRUE(run.done);
        }
        person.click("lesson next");
    }
    EXPECT_FALSE(run.open());
    EXPECT_TRUE(run.finished(lesson));
}
INSTANTIATE_TEST_SUITE_P(All, LessonWalk,
                         testing::Range<std::size_t>(0, lessons::all_lessons().size()),
                         [](const auto& lesson) {
                             std::string name = lessons::all_lessons()[lesson.param].id;
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

TEST(LessonWindow, OpensFromTheListAndClosesByEscape) {
    ROPESCOPE_NEEDS_EGL();
    Person person({}, kWindow);
    person.key(GLFW_KEY_L);
    person.click("lesson one-pair");
    gui::LessonRun& run = person.state().lessons;
    ASSERT_TRUE(run.open());
    EXPECT_EQ(run.lesson->id, "one-pair");
    person.click("lesson next");
    EXPECT_EQ(run.step, 1U);
    person.click("lesson back");
    EXPECT_EQ(run.step, 0U);
    person.click("lesson next");
    person.key(GLFW_KEY_ESCAPE);
    EXPECT_FALSE(run.open());
    EXPECT_EQ(person.scene(), Scene());
    person.key(GLFW_KEY_L);
    person.click("lesson one-pair");
    EXPECT_EQ(run.step, 1U) << "it goes on where it was left";
}

TEST(LessonWindow, AHintComesBeforeTheSolution) {
    ROPESCOPE_NEEDS_EGL();
    Person person({}, kWindow);
    gui::open_lesson(person.state(), "one-pair");
    person.click("lesson next");
    EXPECT_FALSE(person.find("lesson solution"));
    person.click("lesson hint");
    person.click("lesson solution");
    EXPECT_TRUE(person.state().lessons.done);
    EXPECT_EQ(person.scene().query_position, 3);
    person.key(GLFW_KEY_Z, true);
    EXPECT_EQ(person.scene().query_position, 0) << "a step of undo";
}

TEST(LessonWindow, PointsAtAPanelForThoseWithoutAMouse) {
    ROPESCOPE_NEEDS_EGL();
    Person person({}, kWindow);
    int steps = 0;
    for (const lessons::Lesson& lesson : lessons::all_lessons()) {
        for (std::size_t step = 0; step < lesson.steps.size(); ++step) {
            if (!lesson.steps[step].task || lesson.steps[step].task->point_at.empty()) {
                continue;
            }
            gui::open_lesson(person.state(), lesson.id);
            gui::show_step(person.state(), step);
            person.frames(3);
            EXPECT_TRUE(person.state().figure_cursor.values.empty()) << lesson.id << step;
            gui::show_solution(person.state());
            person.frames(3);
            EXPECT_TRUE(person.state().lessons.done) << lesson.id << step;
            EXPECT_FALSE(person.state().figure_cursor.values.empty()) << lesson.id << step;
            ++steps;
            gui::leave_lesson(person.state());
        }
    }
    EXPECT_GT(steps, 10);
}

TEST(LessonWindow, AnEncodingThatCannotBeIsNoAnswer) {
    ROPESCOPE_NEEDS_EGL();
    Person person({}, kWindow);
    gui::open_lesson(person.state(), "many-speeds");
    gui::set_value(person.state(), "rotary_dim", "256");
    person.frames(3);
    EXPECT_FALSE(person.state().lessons.done);
    EXPECT_NE(person.state().shown.error, "");
}

TEST(LessonWindow, TheFirstLessonIsOfferedOnce) {
    ROPESCOPE_NEEDS_EGL();
    Person person({}, kWindow);
    person.state().lessons.offered = true;
    person.frames(2);
    const Scene before = person.scene();
    person.click("not now");
    EXPECT_FALSE(person.state().lessons.offered);
    EXPECT_EQ(person.scene(), before) << "no click on the figure under the offer";
    EXPECT_FALSE(person.find("not now"));
    person.state().lessons.offered = true;
    person.click("begin lessons");
    ASSERT_TRUE(person.state().lessons.open());
    EXPECT_EQ(person.state().lessons.lesson->order, 1);
    EXPECT_FALSE(person.state().lessons.offered);
}

TEST(LessonWindow, TheButtonOfTheBarOpensTheListAndTheKeyboardTakesALesson) {
    ROPESCOPE_NEEDS_EGL();
    Person person({}, {.width = 1280, .height = 840});
    person.click("Lessons");
    EXPECT_EQ(person.state().overlay, gui::Overlay::lessons);
    person.key(GLFW_KEY_ESCAPE);
    person.key(GLFW_KEY_L);
    person.key(GLFW_KEY_DOWN);
    person.key(GLFW_KEY_ENTER);
    const gui::LessonRun& run = person.state().lessons;
    ASSERT_TRUE(run.open());
    EXPECT_EQ(run.lesson->order, 2) << "the list begins at the first lesson, and the key moves on";
    person.key(GLFW_KEY_F6);
    const std::uint32_t next = person.probe("lesson next").id;
    constexpr int kMostKeys = 5;
    for (int keys = 1; keys < kMostKeys && person.state().focus.current() != next; ++keys) {
        person.key(GLFW_KEY_TAB);
    }
    ASSERT_EQ(person.state().focus.current(), next);
    person.key(GLFW_KEY_ENTER);
    EXPECT_EQ(run.step, 1U);
}

TEST(LessonWindow, BringsTheUsersSceneBackAsAStepOfUndo) {
    ROPESCOPE_NEEDS_EGL();
    Scene own;
    own.view = "spectrum";
    own.base = 500000;
    Person person(own, kWindow);
    gui::open_lesson(person.state(), "one-pair");
    person.click("lesson next");
    EXPECT_NE(person.scene(), own);
    EXPECT_EQ(gui::preferences_of(person.state()).scene, scene_to_json(own))
        << "the next start begins with the user's scene";
    gui::open_lesson(person.state(), "decay");
    const Scene of_lesson = person.scene();
    person.click("lesson leave");
    EXPECT_EQ(person.scene(), own) << "not the scene of the lesson before";
    person.key(GLFW_KEY_Z, true);
    EXPECT_EQ(person.scene(), of_lesson);
}

TEST(LessonWindow, ThePanelStaysInAPresentation) {
    ROPESCOPE_NEEDS_EGL();
    Person person({}, kWindow);
    gui::open_lesson(person.state(), "one-pair");
    person.key(GLFW_KEY_F5);
    EXPECT_TRUE(person.state().presenting);
    EXPECT_FALSE(person.find("Lessons")) << "the bar is hidden";
    person.click("lesson next");
    EXPECT_EQ(person.state().lessons.step, 1U);
    person.key(GLFW_KEY_ESCAPE);
    EXPECT_FALSE(person.state().presenting);
    EXPECT_TRUE(person.state().lessons.open());
    person.key(GLFW_KEY_ESCAPE);
    EXPECT_FALSE(person.state().lessons.open());
}

TEST(LessonWindow, GoesOnAfterARestart) {
    ROPESCOPE_NEEDS_EGL();
    const TempFolder folder;
    {
        Person person({}, kWindow);
        gui::open_lesson(person.state(), "one-pair");
        person.click("lesson next");
        person.click("lesson next");
        EXPECT_EQ(gui::LessonFile(folder / "lessons.json").save(person.state().lessons), "");
    }
    Person later({}, kWindow);
    gui::LessonFile(folder / "lessons.json").load(later.state().lessons);
    later.key(GLFW_KEY_L);
    later.click("lesson one-pair");
    EXPECT_EQ(later.state().lessons.step, 2U);
    EXPECT_FALSE(later.state().lessons.offered);
}

TEST(LessonWindow, AllButtonsOfALessonFitIntoANarrowWindow) {
    ROPESCOPE_NEEDS_EGL();
    Person person({}, {.width = gui::kLeastWidth, .height = 900});
    gui::open_lesson(person.state(), "one-pair");
    person.key(GLFW_KEY_F5);
    while (!person.state().lessons.is_last()) {
        person.click("lesson next");
    }
    for (const char* id : {"lesson back", "lesson next", "next lesson", "lesson leave"}) {
        const gui::Probe button = person.probe(id);
        ASSERT_TRUE(button.place) << id;
        EXPECT_TRUE(button.whole) << id;
    }
}

TEST(LessonWindow, AStepBeginsAtItsTopAndScrollsToItsHint) {
    ROPESCOPE_NEEDS_EGL();
    Person person({}, {.width = gui::kLeastWidth, .height = 700});
    gui::open_lesson(person.state(), "one-pair");
    person.key(GLFW_KEY_F5);
    while (person.state().lessons.step < 3) {
        person.click("lesson next");
    }
    ASSERT_FALSE(person.probe("answer 3").whole) << "the window is low enough for this test";
    const plot::Rect next = person.place("lesson next");
    person.point({next.x, next.y - 60});
    person.gui().input.wheel = -50;
    person.frames(3);
    EXPECT_TRUE(person.probe("answer 3").whole);
    person.click("lesson next");
    person.click("lesson back");
    EXPECT_FALSE(person.probe("answer 3").whole) << "it is scrolled as the step before was";
    person.click("lesson hint");
    EXPECT_TRUE(person.probe("answer 3").whole) << "the hint below it cannot be seen";
}

TEST(LessonWindow, TheLastStepLeadsToTheNextLesson) {
    ROPESCOPE_NEEDS_EGL();
    Person person({}, kWindow);
    const auto& all = lessons::all_lessons();
    gui::open_lesson(person.state(), all[0].id);
    for (std::size_t step = 1; step < all[0].steps.size(); ++step) {
        EXPECT_FALSE(person.find("next lesson"));
        person.click("lesson next");
    }
    person.click("next lesson");
    EXPECT_EQ(person.state().lessons.lesson, &all[1]);
    EXPECT_TRUE(person.state().lessons.finished(all[0]));
    EXPECT_EQ(&gui::lesson_to_go_on_with(person.state().lessons), &all[1]);
}

}  // namespace
}  // namespace ropescope::test
