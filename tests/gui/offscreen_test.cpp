// The window as a person uses it, without a display: real frames, scripted mouse and keys.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <gtest/gtest.h>
#include <map>

#include "app/figures/view.h"
#include "app/gui/frame_pacing.h"
#include "app/gui/state/model_menu.h"
#include "app/scene/parameters.h"
#include "core/formats/model_config.h"
#include "tests/gui/person.h"
#include "tests/support/needs_egl.h"

namespace ropescope::test {
namespace {

TEST(Offscreen, DraggingASliderIsOneStepOfUndo) {
    ROPESCOPE_NEEDS_EGL();
    Person person;
    const plot::Rect track = person.place("slider of base");
    person.point(middle(track));
    person.press(true);
    const double at_middle = person.scene().base;
    for (int i = 1; i <= 10; ++i) {
        person.point({track.x + track.width / 2 + 8.0 * i, track.y + track.height / 2});
    }
    person.press(false);
    EXPECT_GT(person.scene().base, at_middle);
    EXPECT_EQ(person.state().history.undo_steps(), 1);
    person.key(GLFW_KEY_Z, true);
    EXPECT_EQ(person.scene(), Scene{});
}

TEST(Offscreen, ASliderReachesBothEndsOfItsRange) {
    ROPESCOPE_NEEDS_EGL();
    Person person;
    const plot::Rect track = person.place("slider of head_dim");
    person.point(middle(track));
    person.press(true);
    person.point({0, track.y});
    EXPECT_EQ(person.scene().head_dim, 2);
    person.point({720, track.y});
    EXPECT_EQ(person.scene().head_dim, 1024);
    EXPECT_EQ(person.scene().rotary_dim, 1024) << "full rotary follows";
    person.press(false);
    EXPECT_EQ(person.state().shown.error, "");
}

TEST(Offscreen, AValueCanBeTyped) {
    ROPESCOPE_NEEDS_EGL();
    Person person;
    person.click("value of base");
    person.type("500000");
    person.key(GLFW_KEY_ENTER);
    EXPECT_EQ(person.scene().base, 500000.0);
    EXPECT_EQ(person.state().edit.target, "");
    EXPECT_EQ(person.scene().view, "rotation") << "digits typed into a field are no shortcuts";
}

TEST(Offscreen, EscapeLeavesAFieldUnchanged) {
    ROPESCOPE_NEEDS_EGL();
    Person person;
    person.click("value of base");
    person.type("7");
    person.key(GLFW_KEY_ESCAPE);
    EXPECT_EQ(person.scene(), Scene{});
}

TEST(Offscreen, ARefusedValueShowsAMessageUntilItIsClosed) {
    ROPESCOPE_NEEDS_EGL();
    Person person;
    const headless::Image before = person.gui().read();
    person.click("value of base");
    person.type("nonsense");
    person.key(GLFW_KEY_ENTER);
    EXPECT_NE(person.state().error.find("nonsense"), std::string::npos) << person.state().error;
    EXPECT_TRUE(person.find("message"));
    person.click("close message");
    EXPECT_EQ(person.state().error, "");
    EXPECT_FALSE(person.find("message"));
    person.gui().input.mouse.reset();
    person.frames(3);
    EXPECT_EQ(person.gui().read().pixels, before.pixels);
}

TEST(Offscreen, AnInconsistentSceneKeepsTheLastGoodPicture) {
    ROPESCOPE_NEEDS_EGL();
    Person person;
    const std::string title = person.state().shown.figure()->title;
    person.click("value of rotary_dim");
    person.type("256");
    person.key(GLFW_KEY_ENTER);
    EXPECT_NE(person.state().shown.error.find("rotary_dim"), std::string::npos);
    EXPECT_TRUE(person.find("message"));
    EXPECT_EQ(person.state().shown.figure()->title, title);
    person.click_at({150, 300});  // on the old picture: nothing to select in a scene that is wrong
    EXPECT_EQ(person.scene().selected_pair, Scene{}.selected_pair);
    person.key(GLFW_KEY_Z, true);
    EXPECT_EQ(person.state().shown.error, "");
    EXPECT_FALSE(person.find("message"));
}

TEST(Offscreen, AClickOnAPlaneFollowsItsPair) {
    ROPESCOPE_NEEDS_EGL();
    Person person;
    const plot::Rect figure = person.place("figure");
    // The first plane is in the upper left quarter of the figure's area.
    person.click_at({figure.x + figure.width / 8, figure.y + figure.height / 4});
    EXPECT_EQ(person.scene().selected_pair, 0);
}

TEST(Offscreen, APressInOnePanelAndAReleaseInAnotherIsNoClick) {
    ROPESCOPE_NEEDS_EGL();
    Person person;
    const plot::Rect figure = person.place("figure");
    const auto plane = [&](double x, double y) {
        return plot::Pixel{figure.x + x * figure.width, figure.y + y * figure.height};
    };
    person.point(plane(0.6, 0.25));
    person.press(true);
    person.point(plane(0.125, 0.25));  // the first plane
    person.press(false);
    EXPECT_EQ(person.scene(), Scene{});
    person.click_at(plane(0.125, 0.25));
    EXPECT_EQ(person.scene().selected_pair, 0);
}

TEST(Offscreen, ADragInAMapMovesThePatchInOneStepOfUndo) {
    ROPESCOPE_NEEDS_EGL();
    Scene scene;
    scene.view = "axes";
    Person person(scene, {.width = 1400, .height = 900});
    const plot::Rect figure = person.place("figure");
    const auto at = [&](double x, double y) {
        return plot::Pixel{figure.x + x * figure.width, figure.y + y * figure.height};
    };
    person.point(at(0.65, 0.4));  // the map fills the right half
    person.press(true);
    const Scene pressed = person.scene();
    EXPECT_NE(pressed.axes_column, Scene{}.axes_column);
    person.point(at(0.8, 0.7));
    EXPECT_GT(person.scene().axes_column, pressed.axes_column);
    EXPECT_GT(person.scene().axes_row, pressed.axes_row);
    person.point({figure.x + figure.width - 2, figure.y - 50});  // outside, still held
    EXPECT_EQ(person.scene().axes_row, 0);
    EXPECT_EQ(person.scene().axes_column, 17);
    person.press(false);
    person.point(at(0.65, 0.4));
    EXPECT_EQ(person.scene().axes_column, 17);
    person.key(GLFW_KEY_Z, true);
    EXPECT_EQ(person.scene(), scene);
    // A button that was pressed elsewhere does not move the patch while it is held.
    person.point(at(0.2, 0.3));
    person.press(true);
    person.point(at(0.65, 0.4));
    EXPECT_EQ(person.scene(), scene);
}

/// The window's loop: frames until nothing is due. A press and its release come together before
/// the frame with this number, as a busy window receives a quick click.
void frames_with_click(Person& person, int number) {
    gui::FramePacing pacing;
    gui::AppState& state = person.state();
    for (int frame = 0; frame == 0 || pacing.wait_after_frame(state, 0) == 0; ++frame) {
        ASSERT_LT(frame, 100) << "the window does not come to rest";
        if (frame == number) {
            pacing.event();
        }
        person.gui().input.mouse_down = frame == number;
        person.frames(1);
    }
}

TEST(Offscreen, AQuickClickBeforeAnyFrameIsSeenInTheFigure) {
    ROPESCOPE_NEEDS_EGL();
    Person person;
    const plot::Rect figure = person.place("figure");
    person.point({figure.x + figure.width / 8, figure.y + figure.height / 4});
    for (int number = 0; number <= gui::FramePacing::kFramesAfterEvent; ++number) {
        person.state().scene.selected_pair = 3;
        person.frames(1);
        frames_with_click(person, number);
        EXPECT_EQ(person.scene().selected_pair, 0) << "clicked before frame " << number;
        EXPECT_EQ(person.state().shown.scene, person.scene()) << "clicked before frame " << number;
    }
}

TEST(Offscreen, NumberKeysAndTheNavigationShowViews) {
    ROPESCOPE_NEEDS_EGL();
    Person person;
    person.key(GLFW_KEY_2);
    EXPECT_EQ(person.scene().view, "spectrum");
    EXPECT_EQ(person.state().shown.figure()->view, "spectrum");
    person.click("table");
    EXPECT_EQ(person.state().shown.figure()->view, "table");
}

TEST(Offscreen, EverythingIsReachableWithTab) {
    ROPESCOPE_NEEDS_EGL();
    Person person;
    std::vector<std::string> wanted = {"model", "Export", "spectrum", "play", "layout"};
    for (const std::string& name : figures::view_by_id("rotation").parameters) {
        const Parameter& parameter = parameter_by_name(name);
        if (parameter.choices.empty() && parameter.methods().empty()) {  // others show on demand
            const bool listed = !gui::listed_values({}, parameter).empty();
            wanted.push_back((listed ? "list of " : "value of ") + name);
        }
    }
    std::map<std::uint32_t, std::string> not_reached;
    for (const std::string& control : wanted) {
        not_reached[person.probe(control).id] = control;
    }
    ASSERT_EQ(not_reached.size(), wanted.size());
    for (int i = 0; i < 60 && !not_reached.empty(); ++i) {
        person.state().keys.push_back({GLFW_KEY_TAB});
        person.frames(1);
        std::erase_if(not_reached,
                      [&](const auto& entry) { return person.state().focus.has(entry.first); });
    }
    for (const auto& [id, control] : not_reached) {
        ADD_FAILURE() << control;
    }
}

TEST(Offscreen, AFocusedControlComesIntoView) {
    ROPESCOPE_NEEDS_EGL();
    Person person({}, {.width = 800, .height = 500});
    const std::string last = "slider of distance_range";
    EXPECT_GT(person.place(last).y, 500) << "the test wants it out of sight first";
    person.state().focus.clear();
    const std::uint32_t id = person.probe(last).id;
    for (int i = 0; i < 80 && !person.state().focus.has(id); ++i) {
        person.key(GLFW_KEY_TAB);
    }
    person.frames(2);
    EXPECT_LT(person.place(last).y, 500);
}

TEST(Offscreen, ArrowsMoveAFocusedSliderAndOtherwiseTheQuery) {
    ROPESCOPE_NEEDS_EGL();
    Person person;
    person.key(GLFW_KEY_RIGHT);
    EXPECT_EQ(person.scene().query_position, 13);
    person.state().focus.set(person.probe("slider of head_dim").id);
    person.key(GLFW_KEY_RIGHT);
    EXPECT_EQ(person.scene().head_dim, 130);
    EXPECT_EQ(person.scene().query_position, 13);
    person.key(GLFW_KEY_ESCAPE);
    person.key(GLFW_KEY_LEFT, false, true);
    EXPECT_EQ(person.scene().query_position, 12);
    EXPECT_EQ(person.scene().key_position, 4);
}

TEST(Offscreen, SpacePlaysAndStops) {
    ROPESCOPE_NEEDS_EGL();
    Person person;
    person.state().scene.speed = 60;  // a position a frame
    person.key(GLFW_KEY_SPACE);
    person.frames(10);
    person.key(GLFW_KEY_SPACE);
    const std::int64_t there = person.scene().query_position;
    EXPECT_GE(there, 12 + 9);
    person.frames(10);
    EXPECT_EQ(person.scene().query_position, there);
}

TEST(Offscreen, ABadConfigPathIsToldInTheMenuAndAPresetCloses) {
    ROPESCOPE_NEEDS_EGL();
    Person person;
    person.key(GLFW_KEY_O, true);
    person.type("/no/such/config.json");
    person.key(GLFW_KEY_ENTER);
    EXPECT_EQ(person.state().overlay, gui::Overlay::models) << "stays open to correct the path";
    EXPECT_NE(person.state().error.find("/no/such/config.json"), std::string::npos);
    person.type("/no");
    EXPECT_EQ(person.state().edit.text, "/no") << "the refused text is selected";
    person.key(GLFW_KEY_ESCAPE);
    person.key(GLFW_KEY_O, true);
    person.click("llama-3-8b");
    EXPECT_EQ(person.state().overlay, gui::Overlay::none);
    EXPECT_EQ(person.scene().model, "llama-3-8b");
    EXPECT_EQ(person.state().error, "");
}

TEST(Offscreen, NothingBehindAnOverlayReacts) {
    ROPESCOPE_NEEDS_EGL();
    Person person({}, {.width = 1400, .height = 1000});  // wider than the sheet
    const plot::Rect track = person.place("slider of base");
    person.key(GLFW_KEY_F1);
    EXPECT_EQ(person.state().overlay, gui::Overlay::help);
    // On the slider, beside the sheet: closes it, and does no more.
    person.click_at({track.x + track.width - 2, track.y + track.height / 2});
    EXPECT_EQ(person.state().overlay, gui::Overlay::none);
    EXPECT_EQ(person.scene(), Scene{});
    person.key(GLFW_KEY_E, true);
    EXPECT_EQ(person.state().overlay, gui::Overlay::export_figure);
    person.key(GLFW_KEY_ESCAPE);
    EXPECT_EQ(person.state().overlay, gui::Overlay::none);
}

TEST(Offscreen, KeysDoNotReachBehindAnOverlay) {
    ROPESCOPE_NEEDS_EGL();
    Person person;
    person.key(GLFW_KEY_F1);
    for (int i = 0; i < 25; ++i) {
        for (const int key : {GLFW_KEY_TAB, GLFW_KEY_RIGHT, GLFW_KEY_SPACE}) {
            person.state().keys.push_back({key});
            person.frames(1);
        }
    }
    EXPECT_EQ(person.state().overlay, gui::Overlay::help);
    EXPECT_EQ(person.scene(), Scene{});
    EXPECT_FALSE(person.state().playback.playing);
    person.key(GLFW_KEY_F1);
    EXPECT_EQ(person.state().overlay, gui::Overlay::none) << "the key that opened it closes it";
}

TEST(Offscreen, CopyCommandGoesToTheClipboard) {
    ROPESCOPE_NEEDS_EGL();
    Person person;
    person.key(GLFW_KEY_3);
    person.key(GLFW_KEY_C, true);
    EXPECT_EQ(person.state().clipboard, "ropescope figure table --theme dark -o table.svg");
}

TEST(Offscreen, AHeatMapIsUploadedOnceForAFigure) {
    ROPESCOPE_NEEDS_EGL();
    Scene scene;
    scene.view = "table";
    Person person(scene);
    const std::int64_t uploads = person.gui().toolkit().textures().uploads();
    EXPECT_GE(uploads, 1);
    for (int i = 0; i < 10; ++i) {
        person.point({200.0 + 5 * i, 400});
    }
    EXPECT_EQ(person.gui().toolkit().textures().uploads(), uploads);
    person.state().scene.base = 20000;
    person.frames(2);
    EXPECT_GT(person.gui().toolkit().textures().uploads(), uploads);
}

TEST(Offscreen, TheMouseOverAPanelTellsItsValues) {
    ROPESCOPE_NEEDS_EGL();
    Scene scene;
    scene.view = "spectrum";
    Person person(scene);
    const headless::Image before = person.gui().read();
    const plot::Rect figure = person.place("figure");
    person.point(middle(figure));
    person.frames(2);
    const headless::Image after = person.gui().read();
    EXPECT_NE(before.pixels, after.pixels) << "only the readouts have anything to change";
    person.gui().input.mouse.reset();
    person.frames(2);
    EXPECT_EQ(person.gui().read().pixels, before.pixels);
}

TEST(Offscreen, EveryViewAndThemeAtEverySizeIsDrawn) {
    ROPESCOPE_NEEDS_EGL();
    for (const auto& [width, height] :
         {std::pair{1, 1}, {40, 900}, {900, 40}, {320, 240}, {800, 600}, {1100, 700}}) {
        for (const char* theme : {"dark", "projector"}) {
            Person person({}, {.width = width, .height = height, .scale = 1, .theme = theme});
            for (const figures::View& view : figures::views()) {
                person.state().scene.view = view.id;
                person.frames(2);
                for (const auto overlay : {gui::Overlay::models, gui::Overlay::export_figure,
                                           gui::Overlay::help, gui::Overlay::none}) {
                    person.state().overlay = overlay;
                    person.frames(1);
                }
                EXPECT_EQ(person.state().shown.error, "");
            }
        }
    }
}

/// The explanation is whole in every view: at a desk as the window opens, on a projector when
/// somebody asks for it.
TEST(Offscreen, ExplanationsAreWholeOnAProjector) {
    ROPESCOPE_NEEDS_EGL();
    for (const figures::View& view : figures::views()) {
        for (const char* theme : {"projector", "light"}) {
            Scene scene;
            scene.view = view.id;
            Person person(scene, {.width = 1600, .height = 1000, .theme = theme});
            if (!person.state().explanation_shown) {
                person.key(GLFW_KEY_E);
            }
            EXPECT_TRUE(person.state().explanation_shown) << view.id << " " << theme;
            EXPECT_TRUE(person.state().explanation_whole) << view.id << " " << theme;
        }
    }
}

}  // namespace
}  // namespace ropescope::test
