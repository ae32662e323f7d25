// The window without a mouse: finding a control, going into the figure, copying a picture.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <set>
#include <string>

#include "app/figures/view.h"
#include "app/gui/state/actions.h"
#include "app/gui/state/export_actions.h"
#include "app/gui/state/finder.h"
#include "app/scene/parameters.h"
#include "app/scene/values.h"
#include "tests/gui/person.h"
#include "tests/support/needs_egl.h"

namespace ropescope::test {
namespace {

void go_to_figure(Person& person) {
    person.state().focus.set(person.probe("figure").id);
    person.frames(2);
}

void go_into_figure(Person& person) {
    go_to_figure(person);
    person.key(GLFW_KEY_ENTER);
}

TEST(Keyboard, FiveKeysReachASliderAndArrowsMoveIt) {
    ROPESCOPE_NEEDS_EGL();
    Person person;
    person.key(GLFW_KEY_F, true);
    ASSERT_EQ(person.state().overlay, gui::Overlay::find);
    person.frames(3);
    person.type("bas");
    person.key(GLFW_KEY_ENTER);
    person.frames(3);
    EXPECT_EQ(person.state().overlay, gui::Overlay::none);
    EXPECT_EQ(person.state().focus.current(), person.probe("slider of base").id);
    const double before = person.scene().base;
    person.key(GLFW_KEY_RIGHT);
    EXPECT_GT(person.scene().base, before);
}

/// What the finder lists takes the focus, whatever kind of control it is, also below the edge.
TEST(Keyboard, EveryControlTakesTheFocus) {
    ROPESCOPE_NEEDS_EGL();
    for (const figures::View& view : figures::views()) {
        Person person(in_view(view.id), {.width = 800, .height = 500});
        for (const Parameter* parameter : gui::shown_controls(person.scene())) {
            person.state().focus.clear();
            person.state().wanted_control = parameter->name;
            person.frames(3);
            EXPECT_NE(person.state().focus.current(), 0U) << view.id << ": " << parameter->name;
            EXPECT_EQ(person.state().wanted_control, "") << view.id << ": " << parameter->name;
        }
    }
}

TEST(Keyboard, ACursorMovesInTheFigureAndEnterClicks) {
    ROPESCOPE_NEEDS_EGL();
    Person person(in_view("spectrum"));
    go_to_figure(person);
    person.key(GLFW_KEY_RIGHT);
    EXPECT_FALSE(person.state().figure_cursor.inside) << "not inside yet";
    person.key(GLFW_KEY_ENTER);
    ASSERT_TRUE(person.state().figure_cursor.inside);
    const double right = person.state().figure_cursor.right;
    person.key(GLFW_KEY_RIGHT);
    EXPECT_NEAR(person.state().figure_cursor.right, right + 0.02, 1e-12);
    person.key(GLFW_KEY_LEFT, false, true);
    EXPECT_NEAR(person.state().figure_cursor.right, right - 0.08, 1e-12);
    EXPECT_EQ(person.scene().query_position, Scene{}.query_position) << "which the view has not";
    const std::int64_t pair = person.scene().selected_pair;
    person.state().figure_cursor.right = 0.9;
    person.key(GLFW_KEY_ENTER);
    EXPECT_NE(person.scene().selected_pair, pair);
    person.key(GLFW_KEY_SPACE);
    EXPECT_FALSE(person.state().playback.playing) << "nothing would move";
    person.key(GLFW_KEY_ESCAPE);
    EXPECT_FALSE(person.state().figure_cursor.inside);
    EXPECT_NE(person.state().focus.current(), 0U);
}

/// The figure comes before what lies in it: the names of its lines.
TEST(Keyboard, F6ComesToTheFigure) {
    ROPESCOPE_NEEDS_EGL();
    Person person(in_view("scores"));
    const std::uint32_t figure = person.probe("figure").id;
    bool come = false;
    for (int keys = 0; keys < 4 && !come; ++keys) {
        person.key(GLFW_KEY_F6);
        come = person.state().focus.current() == figure;
    }
    EXPECT_TRUE(come);
    person.key(GLFW_KEY_TAB);
    EXPECT_EQ(person.state().focus.current(), person.probe("line score").id);
}

TEST(Keyboard, HomeEndAndPagesWalkTheListOfViews) {
    ROPESCOPE_NEEDS_EGL();
    Person person(in_view("spectrum"), {.width = 1280, .height = 400});
    const std::vector<figures::View>& views = figures::views();
    const auto row = [&](const figures::View& view) { return person.probe(view.id).id; };
    const auto after = [&](int key) {
        person.key(key);
        return person.state().focus.current();
    };
    person.state().focus.set(row(views[1]));
    after(GLFW_KEY_END);
    person.key(GLFW_KEY_ENTER);  // by the view: a button of the status bar has the row's name, too
    EXPECT_EQ(person.scene().view, views.back().id);
    EXPECT_EQ(after(GLFW_KEY_DOWN), row(views.front())) << "the arrows go round";
    EXPECT_EQ(after(GLFW_KEY_DOWN), row(views[1]));
    const std::uint32_t page_down = after(GLFW_KEY_PAGE_DOWN);
    EXPECT_NE(page_down, row(views[1]));
    EXPECT_NE(page_down, row(views[2]));
    EXPECT_EQ(after(GLFW_KEY_PAGE_UP), row(views[1]));
    EXPECT_EQ(after(GLFW_KEY_PAGE_UP), row(views.front())) << "pages stop at the ends";
    EXPECT_EQ(after(GLFW_KEY_HOME), row(views.front()));
    EXPECT_EQ(person.scene().view, views.back().id) << "until Enter";
    person.key(GLFW_KEY_ENTER);
    EXPECT_EQ(person.scene().view, views.front().id);
}

TEST(Keyboard, HomeAndEndTakeTheFirstAndTheLastChoice) {
    ROPESCOPE_NEEDS_EGL();
    Person person(in_view("spectrum"));
    for (const char* name : {"spectrum_quantity", "layout"}) {
        const std::vector<std::string>& choices = find_parameter(name)->choices;
        person.state().focus.set(person.probe(name).id);
        person.key(GLFW_KEY_END);
        EXPECT_EQ(parameter_text(person.scene(), *find_parameter(name)), choices.back());
        person.key(GLFW_KEY_HOME);
        EXPECT_EQ(parameter_text(person.scene(), *find_parameter(name)), choices.front());
    }
}

TEST(Keyboard, LettersThatComeBeforeAFieldHasTheKeyboardAreKept) {
    ROPESCOPE_NEEDS_EGL();
    Person person(in_view("spectrum"));
    person.state().edit = {.target = "base", .text = "10000", .just_opened = true};
    for (const char* letters : {"5", "0", "00", "00"}) {
        person.gui().input.typed = letters;
        person.frames(1);
    }
    person.key(GLFW_KEY_ENTER);
    EXPECT_EQ(person.scene().base, 500000) << person.state().error;
}

TEST(Keyboard, PagesGoFromPanelToPanel) {
    ROPESCOPE_NEEDS_EGL();
    Person person(in_view("scores"));
    go_into_figure(person);
    const std::string first = person.state().figure_cursor.panel;
    person.key(GLFW_KEY_PAGE_DOWN);
    EXPECT_NE(person.state().figure_cursor.panel, first);
    person.key(GLFW_KEY_PAGE_UP);
    EXPECT_EQ(person.state().figure_cursor.panel, first);
}

/// Every view has figures that the keyboard can go into, and no key there ends the program.
TEST(Keyboard, EveryFigureCanBeWalkedThrough) {
    ROPESCOPE_NEEDS_EGL();
    for (const figures::View& view : figures::views()) {
        Person person(in_view(view.id));
        go_into_figure(person);
        EXPECT_TRUE(person.state().figure_cursor.inside) << view.id;
        for (const int key : {GLFW_KEY_DOWN, GLFW_KEY_PAGE_DOWN, GLFW_KEY_LEFT, GLFW_KEY_UP}) {
            person.key(key);
        }
        EXPECT_EQ(person.state().error, "") << view.id;
    }
}

TEST(Keyboard, ThePictureForTheClipboardIsThatOfAnExport) {
    ROPESCOPE_NEEDS_EGL();
    Person person;
    person.state().exporting.values = {{"--size", "200x150"}};
    person.key(GLFW_KEY_C, true, true);
    const std::string& png = person.state().picture_for_clipboard;
    ASSERT_GT(png.size(), 24U);
    EXPECT_EQ(png.substr(1, 3), "PNG");
    EXPECT_EQ(static_cast<unsigned char>(png[19]), 200U);  // the width, big-endian
    EXPECT_EQ(static_cast<unsigned char>(png[23]), 150U);
}

TEST(Keyboard, AFigureForAPaperTakesThreeActionsFromItsView) {
    ROPESCOPE_NEEDS_EGL();
    Person person(in_view("context"), {.width = 1280, .height = 720});
    person.key(GLFW_KEY_E, true);
    const plot::Rect purpose = person.place("purpose");
    person.click_at({purpose.x + purpose.width * 0.75, purpose.y + purpose.height / 2});
    EXPECT_EQ(gui::export_purpose(person.state()), gui::ExportPurpose::paper);
    EXPECT_EQ(person.state().edit.text, "context.pdf");
    const std::filesystem::path written = std::filesystem::current_path() / "context.pdf";
    std::filesystem::remove(written);
    person.key(GLFW_KEY_ENTER);
    EXPECT_EQ(person.state().overlay, gui::Overlay::none) << person.state().error;
    EXPECT_TRUE(std::filesystem::remove(written));
}

TEST(Keyboard, AnExportHasASizeOfItsOwnLettersAndOnePanel) {
    ROPESCOPE_NEEDS_EGL();
    Person person(in_view("scores"), {.width = 1280, .height = 800});
    person.key(GLFW_KEY_E, true);
    const plot::Rect size = person.place("size");
    person.click_at({size.x + size.width * 0.9, size.y + size.height / 2});
    EXPECT_TRUE(person.find("Save")) << "while a size is typed";
    person.type("wide");
    person.key(GLFW_KEY_ENTER);
    EXPECT_NE(person.state().error.find("3.3x2.5in"), std::string::npos);
    person.type("3x2in");
    person.key(GLFW_KEY_ENTER);
    const plot::ExportValues& values = person.state().exporting.values;
    EXPECT_EQ(values.at("--size"), "3x2in");
    EXPECT_EQ(person.state().edit.target, "export path");
    const auto choose = [&](const char* row, double share) {
        const plot::Rect box = person.place(row);
        person.click_at({box.x + box.width * share, box.y + box.height / 2});
    };
    choose("letters", 0.5);
    EXPECT_EQ(values.at("--font-size"), "8");
    choose("pixels (PNG)", 0.75);
    EXPECT_EQ(values.at("--scale"), "3.125");
    choose("panel 1", 0.35);
    EXPECT_NE(person.state().exporting.panel, "");
    gui::close_overlay(person.state());
    gui::copy_command(person.state());
    const std::string& command = person.state().clipboard;
    EXPECT_NE(command.find("--size 3x2in"), std::string::npos) << command;
    EXPECT_NE(command.find("--font-size 8"), std::string::npos) << command;
    EXPECT_NE(command.find("--panel "), std::string::npos) << command;
}

TEST(Keyboard, AnExportOffersEveryPanel) {
    ROPESCOPE_NEEDS_EGL();
    Person person({}, {.width = 1280, .height = 800});
    person.key(GLFW_KEY_E, true);
    std::set<std::string> chosen;
    for (int line = 1; person.find("panel " + std::to_string(line)); ++line) {
        const plot::Rect row = person.place("panel " + std::to_string(line));
        for (double share = 0.05; share < 1; share += 0.1) {
            person.click_at({row.x + share * row.width, row.y + row.height / 2});
            chosen.insert(person.state().exporting.panel);
        }
    }
    const std::vector<plot::Panel>& panels = person.state().shown.picture->figure.panels;
    EXPECT_GT(panels.size(), 4U);
    for (const plot::Panel& panel : panels) {
        EXPECT_TRUE(chosen.contains(panel.id)) << panel.id;
    }
}

/// While the positions play, every frame of Rotation shows something else.
TEST(Keyboard, PlayingIsSmooth) {
    ROPESCOPE_NEEDS_EGL();
    Person person;
    person.key(GLFW_KEY_SPACE);
    person.frames(2);
    const std::int64_t position = person.scene().query_position;
    int changed = 0;
    for (int i = 0; i < 5; ++i) {
        const std::vector<plot::Color> before = person.gui().read().pixels;
        person.frames(1);
        changed += person.gui().read().pixels != before ? 1 : 0;
    }
    EXPECT_EQ(changed, 5);
    EXPECT_EQ(person.scene().query_position, position) << "within one step";
}

/// A word of the glossary explains itself under the mouse; the margin has nothing to say.
TEST(Keyboard, WordsOfTheFieldAreExplained) {
    ROPESCOPE_NEEDS_EGL();
    Person person({}, {.width = 1280, .height = 800});
    person.state().explanation = gui::RegionOptions::Explanation::open;
    person.frames(3);
    const std::vector<plot::Color> before = person.gui().read().pixels;
    const auto changed_at = [&](double x, double y) {
        person.point({x, y});
        return person.gui().read().pixels != before;
    };
    bool shown = false;
    for (double y = 640; y < 760 && !shown; y += 8) {
        EXPECT_FALSE(changed_at(8, y)) << y;
        for (double x = 40; x < 400 && !shown; x += 12) {
            shown = changed_at(x, y);
        }
    }
    EXPECT_TRUE(shown);
}

}  // namespace
}  // namespace ropescope::test
