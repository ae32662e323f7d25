// The program in a real window on a display of its own, driven as by hand.
#include "tests/gui/real_window.h"

#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>
#include <regex>
#include <thread>

#include "app/gui/state/regions.h"
#include "core/base/file.h"
#include "tests/gui/person.h"
#include "tests/support/needs_egl.h"
#include "tests/support/paths.h"
#include "tests/support/run_program.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

using namespace std::chrono_literals;

int changed_pixels(const headless::Image& a, const headless::Image& b, plot::Rect where) {
    int changed = 0;
    for (int y = static_cast<int>(where.y); y < static_cast<int>(where.y + where.height); ++y) {
        for (int x = static_cast<int>(where.x); x < static_cast<int>(where.x + where.width); ++x) {
            const auto at = static_cast<std::size_t>(y * a.width + x);
            changed += a.pixels[at] == b.pixels[at] ? 0 : 1;
        }
    }
    return changed;
}

TEST_F(OnADisplay, TheEndOfTheServerIsAMissingCapability) {
    ROPESCOPE_NEEDS_EGL();
    const TempFolder folder;
    const std::string err = folder / "err";
    ChildProcess program({"sh", "-c", "exec \"$0\" app 2> \"$1\"", program_path(), err},
                         {{"DISPLAY", display_->name()}});
    display_->wait_for_window();
    display_->end();
    EXPECT_EQ(program.wait(30), 3);
    const std::regex of_the_driver("MESA: [^\n]*\n");
    EXPECT_EQ(
        std::regex_replace(read_file(err), of_the_driver, ""),
        "ropescope: app: the X server has ended, and the window with it; start ropescope again "
        "on one that runs\n");
}

TEST_F(RealWindow, DraggingTheBaseSliderChangesTheFigureAndNotTheNavigation) {
    ROPESCOPE_NEEDS_EGL();
    // The same frame offscreen tells where the slider is.
    Person twin({}, {.width = width_, .height = height_});
    const plot::Rect track = twin.place("slider of base");
    const auto at = [&](double share) {
        return plot::Pixel{track.x + track.width * share, track.y + track.height / 2};
    };
    point(at(0.45));
    const double base = window_->report()["base"];
    const headless::Image before = display_->look();
    display_->act({"mousedown", "1"});
    ASSERT_TRUE(window_->until("knob held", true)) << window_->report();
    point(at(0.55));
    point(at(0.8));
    display_->act({"mouseup", "1"});
    ASSERT_TRUE(window_->until("knob held", false)) << window_->report();
    EXPECT_GT(window_->report()["base"], base);
    const headless::Image after = display_->look();
    EXPECT_GT(changed_pixels(before, after, regions_.figure), 500);
    EXPECT_EQ(changed_pixels(before, after, regions_.navigation), 0);
    EXPECT_EQ(changed_pixels(before, after, regions_.explanation), 0);
    display_->key("ctrl+z");
    ASSERT_TRUE(window_->until("base", base))
        << "one undo takes the drag back: " << window_->report();
    point(at(0.45));
    EXPECT_EQ(changed_pixels(before, display_->look(), regions_.figure), 0);
}

TEST_F(RealWindow, NumberKeysShowViews) {
    const headless::Image rotation = display_->look();
    display_->key("2");
    ASSERT_TRUE(window_->until("view", "spectrum")) << window_->report();
    const headless::Image spectrum = display_->look();
    EXPECT_GT(changed_pixels(rotation, spectrum, regions_.figure), 5000);
    EXPECT_GT(changed_pixels(rotation, spectrum, regions_.navigation), 100);
    display_->key("1");
    ASSERT_TRUE(window_->until("view", "rotation")) << window_->report();
    EXPECT_EQ(changed_pixels(rotation, display_->look(), regions_.figure), 0);
}

TEST_F(RealWindow, ABadConfigPathIsToldAndTheLastPictureKept) {
    const std::string path = "/no/such/config.json";
    const headless::Image before = display_->look();
    display_->key("ctrl+o");
    ASSERT_TRUE(window_->until("menu open", true)) << window_->report();
    display_->act({"type", "--delay", "30", path});
    ASSERT_TRUE(window_->until("typed", path)) << window_->report();
    const headless::Image typed = display_->look();
    display_->key("Return");
    ASSERT_TRUE(window_->until([&](const WatchedWindow::Report& report) {
        return report.at("error").get<std::string>().find(path) != std::string::npos;
    }));
    const headless::Image told = display_->look();
    // Only the message is new: below the field, in the sheet.
    const plot::Rect window{0, 0, static_cast<double>(width_), static_cast<double>(height_)};
    EXPECT_GT(changed_pixels(typed, told, window), 200);
    // The refused text is selected: typing corrects it.
    display_->act({"type", "--delay", "30", "/no"});
    ASSERT_TRUE(window_->until("typed", "/no")) << window_->report();
    EXPECT_GT(changed_pixels(told, display_->look(), window), 200);
    display_->key("Escape");
    ASSERT_TRUE(window_->until("menu open", false)) << window_->report();
    EXPECT_EQ(changed_pixels(before, display_->look(), regions_.figure), 0);
}

TEST_F(RealWindow, AClickIsFollowedWithoutAMoveOfTheMouse) {
    display_->key("5");
    ASSERT_TRUE(window_->until("view", "scores")) << window_->report();
    const plot::Rect& figure = regions_.figure;
    for (const double share : {0.3, 0.6, 0.4, 0.7, 0.5}) {
        // In the upper plot, however high the explanation leaves the figure.
        point({figure.x + share * figure.width, figure.y + 0.3 * figure.height});
        const WatchedWindow::Report before = window_->report();
        display_->act({"click", "1"});
        EXPECT_TRUE(window_->until([&](const WatchedWindow::Report& report) {
            return report.at("key_position") != before.at("key_position") &&
                   report.at("figure of scene") == true;
        })) << window_->report();
    }
}

class RealProgram : public OnADisplay {};

TEST_F(RealProgram, EndsWithSuccessOnControlQ) {
    ChildProcess program({program_path(), "app"}, {{"DISPLAY", display_->name()}});
    wait_until_drawn();
    display_->act(
        {"keydown", "ctrl", "keydown", "q", "sleep", "0.1", "keyup", "q", "keyup", "ctrl"});
    EXPECT_EQ(program.wait(60), 0);
}

TEST_F(RealProgram, TellsHowLongTheFirstFrameTook) {
    const RunResult result = run_ropescope({"app", "--time-to-first-frame"},
                                           {.environment = {{"DISPLAY", display_->name()}}});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_TRUE(std::string_view(result.out).starts_with("first frame ")) << result.out;
}

TEST(MissingDisplay, ExitsWith3) {
    for (const auto& arguments : {std::vector<std::string>{}, {"app"}}) {
        EXPECT_EQ(run_ropescope(arguments, {.environment = {{"DISPLAY", ""}}}).exit_code, 3);
        EXPECT_EQ(run_ropescope(arguments, {.environment = {{"DISPLAY", ":4711"}}}).exit_code, 3);
    }
}

TEST(MissingDisplay, SaysInOneLineWhatToDo) {
    const RunResult result = run_ropescope({}, {.environment = {{"DISPLAY", ""}}});
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
    EXPECT_NE(result.err.find("DISPLAY"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("ropescope screenshot"), std::string::npos) << result.err;
    EXPECT_EQ(result.out, "");
}

}  // namespace
}  // namespace ropescope::test
