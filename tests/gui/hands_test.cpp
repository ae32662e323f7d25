// Menus, presentations, type size, parts of the window, playing a slider, exports: by hand.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <gtest/gtest.h>
#include <set>

#include "app/gui/state/actions.h"
#include "app/gui/state/menus.h"
#include "app/gui/state/model_menu.h"
#include "core/base/file.h"
#include "core/base/write_file.h"
#include "tests/gui/person.h"
#include "tests/support/needs_egl.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

void double_click(Person& person, plot::Pixel at) {
    person.point(at);
    for (const bool down : {true, false, true, false}) {
        person.press(down);
    }
}

TEST(Hands, ADoubleClickOnANameResetsAndUndoTakesItBack) {
    ROPESCOPE_NEEDS_EGL();
    Person person;
    ASSERT_TRUE(gui::set_value(person.state(), "base", "77"));
    double_click(person, middle(person.place("name of base")));
    EXPECT_EQ(person.scene().base, Scene{}.base);
    person.key(GLFW_KEY_Z, true);
    EXPECT_EQ(person.scene().base, 77);
}

TEST(Hands, ARightClickOnANameOpensItsMenu) {
    ROPESCOPE_NEEDS_EGL();
    Person person;
    ASSERT_TRUE(gui::set_value(person.state(), "base", "77"));
    person.point(middle(person.place("name of base")));
    person.gui().input.right_down = true;
    person.frames(2);
    person.gui().input.right_down = false;
    person.frames(2);
    ASSERT_EQ(person.state().overlay, gui::Overlay::menu);
    person.click("menu Copy as a setting");
    EXPECT_EQ(person.state().clipboard, "--set base=77");
    EXPECT_EQ(person.state().overlay, gui::Overlay::none);
}

TEST(Hands, TheMenuResetsAllInOneStep) {
    ROPESCOPE_NEEDS_EGL();
    Person person;
    ASSERT_TRUE(gui::set_value(person.state(), "base", "77"));
    ASSERT_TRUE(gui::set_value(person.state(), "query_position", "9"));
    person.click("Menu");
    person.click("menu Reset all parameters");
    EXPECT_EQ(person.scene(), Scene{});
    person.key(GLFW_KEY_Z, true);
    EXPECT_EQ(person.scene().base, 77);
}

TEST(Hands, TheKeyboardWalksThroughTheMenu) {
    ROPESCOPE_NEEDS_EGL();
    Person person;
    person.key(GLFW_KEY_F10);
    ASSERT_EQ(person.state().overlay, gui::Overlay::menu);
    person.key(GLFW_KEY_N);  // Next theme
    person.key(GLFW_KEY_ENTER);
    EXPECT_EQ(person.state().theme.name, "light");
}

TEST(Hands, SavingASceneAndOpeningItAgain) {
    ROPESCOPE_NEEDS_EGL();
    const TempFolder folder;
    const std::string path = (folder / "mine.json").string();
    Person person;
    ASSERT_TRUE(gui::set_value(person.state(), "base", "77"));
    person.key(GLFW_KEY_S, true);
    person.type(path);
    person.key(GLFW_KEY_ENTER);
    EXPECT_EQ(person.state().overlay, gui::Overlay::none) << person.state().error;
    person.key(GLFW_KEY_Z, true);
    ASSERT_EQ(person.scene(), Scene{});
    person.key(GLFW_KEY_O, true);
    person.click("recent " + path);
    EXPECT_EQ(person.scene().base, 77);
}

TEST(Hands, AnExportAsksBeforeItReplacesAFile) {
    ROPESCOPE_NEEDS_EGL();
    const TempFolder folder;
    const std::string path = (folder / "there.svg").string();
    write_file_whole(path, "old");
    Person person;
    person.key(GLFW_KEY_E, true);
    person.type(path);
    person.key(GLFW_KEY_ENTER);
    EXPECT_EQ(person.state().overlay, gui::Overlay::export_figure);
    EXPECT_EQ(read_file(path), "old");
    person.key(GLFW_KEY_ENTER);
    EXPECT_EQ(person.state().overlay, gui::Overlay::none) << person.state().error;
    EXPECT_NE(read_file(path), "old");
}

TEST(Hands, WhatIsChosenForTheExportIsInTheCommand) {
    ROPESCOPE_NEEDS_EGL();
    Person person(in_view("table"), {.width = 1200, .height = 900});
    person.key(GLFW_KEY_E, true);
    const plot::Rect grounds = person.place("background");
    person.click_at({grounds.x + grounds.width - 10, grounds.y + 10});
    const plot::Rect titles = person.place("title");
    person.click_at({titles.x + titles.width - 10, titles.y + 10});
    const plot::Rect sizes = person.place("size");
    person.click_at({sizes.x + 10, sizes.y + 10});
    person.key(GLFW_KEY_ESCAPE);
    person.key(GLFW_KEY_C, true);
    EXPECT_EQ(person.state().clipboard,
              "ropescope figure table --theme dark --size 800x600 --background transparent "
              "--no-title -o table.svg");
}

TEST(Hands, APresentationHasTheFigureAndAStripOfSlidersUntilEscape) {
    ROPESCOPE_NEEDS_EGL();
    Person person;
    person.key(GLFW_KEY_F5);
    const plot::Rect figure = person.place("figure");
    EXPECT_EQ(figure.width, 720);
    EXPECT_GT(figure.height, 850);
    EXPECT_LT(figure.height, 1000);
    EXPECT_FALSE(person.find("model"));
    EXPECT_TRUE(person.find("slider of query_position"));
    EXPECT_FALSE(person.find("slider of rotary_dim"));
    person.key(GLFW_KEY_2);
    EXPECT_EQ(person.scene().view, "spectrum") << "keys still work";
    person.key(GLFW_KEY_ESCAPE);
    EXPECT_TRUE(person.find("model"));
}

TEST(Hands, TypeGrowsShrinksAndComesBack) {
    ROPESCOPE_NEEDS_EGL();
    Person person({}, {.width = 1400, .height = 900});
    const double height = person.place("model").height;
    person.key(GLFW_KEY_EQUAL, true);
    person.key(GLFW_KEY_EQUAL, true);
    EXPECT_GT(person.place("model").height, height);
    person.key(GLFW_KEY_MINUS, true);
    person.key(GLFW_KEY_MINUS, true);
    EXPECT_EQ(person.place("model").height, height);
    for (int i = 0; i < 30; ++i) {
        person.key(GLFW_KEY_MINUS, true);
    }
    EXPECT_GE(person.state().type_size, 0.6);
    person.key(GLFW_KEY_0, true);
    EXPECT_EQ(person.state().type_size, 1);
}

TEST(Hands, F6GoesFromPartToPart) {
    ROPESCOPE_NEEDS_EGL();
    Person person;
    const std::uint32_t navigation = person.probe("rotation").id;
    person.key(GLFW_KEY_F6);
    const std::uint32_t bar = person.state().focus.current();
    EXPECT_NE(bar, 0U);
    person.key(GLFW_KEY_F6);
    EXPECT_TRUE(person.state().focus.has(navigation));
    person.key(GLFW_KEY_F6, false, true);
    EXPECT_TRUE(person.state().focus.has(bar));
    std::set<std::uint32_t> reached;
    for (int i = 0; i < 8; ++i) {
        person.key(GLFW_KEY_F6);
        reached.insert(person.state().focus.current());
    }
    EXPECT_TRUE(reached.contains(person.probe("value of query_position").id));
    EXPECT_TRUE(reached.contains(person.probe("checks").id)) << "the status bar";
}

TEST(Hands, SpaceOnASliderPlaysItAndStopsIt) {
    ROPESCOPE_NEEDS_EGL();
    Person person;
    person.state().focus.set(person.probe("slider of base").id);
    person.key(GLFW_KEY_SPACE);
    EXPECT_TRUE(person.state().playback.playing);
    person.frames(20);
    const double there = person.scene().base;
    EXPECT_GT(there, Scene{}.base);
    EXPECT_EQ(person.scene().query_position, Scene{}.query_position);
    person.key(GLFW_KEY_SPACE);
    const double stopped = person.scene().base;
    person.frames(10);
    EXPECT_EQ(person.scene().base, stopped);
    EXPECT_EQ(person.state().history.undo_steps(), 1);
}

TEST(Hands, TheMouseOverASliderOffersToPlayIt) {
    ROPESCOPE_NEEDS_EGL();
    Person person;
    EXPECT_FALSE(person.find("play base"));
    person.point(middle(person.place("slider of base")));
    person.click("play base");
    EXPECT_EQ(person.state().playback.parameter, "base");
    EXPECT_TRUE(person.state().playback.playing);
}

TEST(Hands, OneClickCopiesTheScalingOfTheContextView) {
    ROPESCOPE_NEEDS_EGL();
    Person person(in_view("context"), {.width = 900, .height = 2400});
    person.click("copy rope_scaling");
    EXPECT_NE(person.state().clipboard.find("\"rope_type\": \"yarn\""), std::string::npos)
        << person.state().clipboard;
}

TEST(Hands, TheModelViewListsModelsAndAClickShowsOne) {
    ROPESCOPE_NEEDS_EGL();
    Person person(in_view("model"), {.width = 900, .height = 3000});
    for (const gui::ModelEntry& model : gui::model_menu()) {
        EXPECT_EQ(person.find("show " + model.id).has_value(), !model.several_axes) << model.id;
    }
    person.click("show mistral-7b-v0.1");
    EXPECT_EQ(person.scene().model, "mistral-7b-v0.1");
    EXPECT_EQ(person.scene().view, "model");
}

TEST(Hands, BreakItAsksForARunWithTheFault) {
    ROPESCOPE_NEEDS_EGL();
    Person person(in_view("checks"), {.width = 900, .height = 1400});
    person.state().checks.phase = gui::ChecksState::Phase::over;
    person.click("break wrong_sign");
    EXPECT_EQ(person.state().checks.fault, EngineFault::wrong_sign);
    EXPECT_EQ(person.state().checks.phase, gui::ChecksState::Phase::asked);
}

}  // namespace
}  // namespace ropescope::test
