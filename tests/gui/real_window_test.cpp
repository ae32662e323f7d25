// The program in a real window on a display of its own, driven as by hand.
#include <algorithm>
#include <chrono>
#include <functional>
#include <gtest/gtest.h>
#include <thread>

#include "app/gui/toolkit/regions.h"
#include "tests/gui/display.h"
#include "tests/gui/person.h"
#include "tests/support/needs_egl.h"
#include "tests/support/paths.h"
#include "tests/support/run_program.h"

namespace ropescope::test {
namespace {

using namespace std::chrono_literals;

// The window takes 0.92 of the screen.
constexpr int kScreenWidth = 1200, kScreenHeight = 1000;
constexpr int kWidth = 1104, kHeight = 920;

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

class RealWindow : public testing::Test {
  protected:
    void SetUp() override {
        if (!display_tools_installed()) {
            ASSERT_FALSE(image_tests_required()) << "Xvfb, xdotool and imagemagick are required";
            GTEST_SKIP() << "install xvfb, xdotool and imagemagick";
        }
        display_ = std::make_unique<Display>(kScreenWidth, kScreenHeight);
        program_ = std::make_unique<ChildProcess>(
            std::vector<std::string>{program_path(), "app"},
            std::vector<std::pair<std::string, std::string>>{{"DISPLAY", display_->name()}});
        display_->act({"search", "--sync", "--onlyvisible", "--class", "ropescope"});
        display_->act({"mousemove", "300", "700"});
        ASSERT_TRUE(eventually([&] { return !blank(display_->look()); })) << "nothing is drawn";
        settle();
    }
    void TearDown() override {
        program_.reset();
        display_.reset();
    }

    /// The middle of the window is no longer the display's black.
    static bool blank(const headless::Image& image) {
        const auto row = image.pixels.begin() + std::ptrdiff_t{kScreenWidth} * (kHeight / 2);
        return std::all_of(row, row + kWidth, [&](plot::Color c) { return c == *row; });
    }

    static bool eventually(const std::function<bool()>& holds) {
        for (int i = 0; i < 200; ++i) {
            if (holds()) {
                return true;
            }
            std::this_thread::sleep_for(50ms);
        }
        return false;
    }

    /// Waits until two pictures in a row are equal but for the frame time in the status bar.
    headless::Image settle() {
        headless::Image last = display_->look();
        eventually([&] {
            std::this_thread::sleep_for(150ms);
            headless::Image now = display_->look();
            const plot::Rect above_status{0, 0, kWidth, regions_.status.y};
            const bool same = changed_pixels(last, now, above_status) == 0;
            last = std::move(now);
            return same;
        });
        return last;
    }

    std::unique_ptr<Display> display_;
    std::unique_ptr<ChildProcess> program_;
    gui::Regions regions_ = gui::regions(kWidth, kHeight, {});
};

TEST_F(RealWindow, DraggingTheBaseSliderChangesTheFigureAndNotTheNavigation) {
    ROPESCOPE_NEEDS_EGL();
    // The same frame offscreen tells where the slider is.
    Person twin({}, {.width = kWidth, .height = kHeight});
    const plot::Rect track = twin.place("slider of base");
    const std::string y = std::to_string(static_cast<int>(track.y + track.height / 2));
    const auto x = [&](double share) {
        return std::to_string(static_cast<int>(track.x + track.width * share));
    };
    display_->act({"mousemove", x(0.45), y});
    const headless::Image before = settle();
    display_->act({"mousedown", "1", "sleep", "0.1", "mousemove", x(0.55), y, "sleep", "0.1",
                   "mousemove", x(0.8), y, "sleep", "0.1", "mouseup", "1"});
    const headless::Image after = settle();
    EXPECT_GT(changed_pixels(before, after, regions_.figure), 500);
    EXPECT_EQ(changed_pixels(before, after, regions_.navigation), 0);
    EXPECT_EQ(changed_pixels(before, after, regions_.explanation), 0);
    display_->key("ctrl+z");
    display_->act({"mousemove", x(0.45), y});
    const headless::Image undone = settle();
    EXPECT_EQ(changed_pixels(before, undone, regions_.figure), 0) << "one undo takes the drag back";
}

TEST_F(RealWindow, NumberKeysShowViews) {
    const headless::Image rotation = settle();
    display_->key("2");
    const headless::Image spectrum = settle();
    EXPECT_GT(changed_pixels(rotation, spectrum, regions_.figure), 5000);
    EXPECT_GT(changed_pixels(rotation, spectrum, regions_.navigation), 100);
    display_->key("1");
    EXPECT_EQ(changed_pixels(rotation, settle(), regions_.figure), 0);
}

TEST_F(RealWindow, ABadConfigPathIsToldAndTheLastPictureKept) {
    const headless::Image before = settle();
    display_->key("ctrl+o");
    settle();
    display_->act({"type", "--delay", "30", "/no/such/config.json"});
    const headless::Image typed = settle();
    display_->key("Return");
    const headless::Image told = settle();
    // Only the message is new: below the field, in the sheet.
    const plot::Rect window{0, 0, kWidth, kHeight};
    EXPECT_GT(changed_pixels(typed, told, window), 200);
    EXPECT_TRUE(program_->alive());
    // The refused text is selected: typing corrects it.
    display_->act({"type", "--delay", "30", "/no"});
    EXPECT_GT(changed_pixels(told, settle(), window), 200);
    display_->key("Escape");
    EXPECT_EQ(changed_pixels(before, settle(), regions_.figure), 0);
}

TEST_F(RealWindow, ControlQEndsItWithSuccess) {
    display_->act(
        {"keydown", "ctrl", "keydown", "q", "sleep", "0.1", "keyup", "q", "keyup", "ctrl"});
    EXPECT_EQ(program_->wait(20), 0);
}

TEST_F(RealWindow, TellsHowLongTheFirstFrameTook) {
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
