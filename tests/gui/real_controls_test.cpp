// Every control of every view, worked with the mouse in the program's real window. What the
// keyboard does with them stands in every_control_test.cpp.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <stdexcept>
#include <utility>

#include "app/figures/view.h"
#include "app/gui/state/finder.h"
#include "app/gui/state/keys.h"
#include "app/gui/state/model_menu.h"
#include "app/scene/scene_json.h"
#include "app/scene/sliders.h"
#include "app/scene/values.h"
#include "tests/gui/control_kinds.h"
#include "tests/gui/person.h"
#include "tests/gui/real_window.h"
#include "tests/support/needs_egl.h"

namespace ropescope::test {
namespace {

/// The real window, and a twin of it offscreen that gets the same input. The twin knows where the
/// controls are; after each input both must be alike.
class BothWindows {
  public:
    BothWindows(const Display& display, WatchedWindow& window, int width, int height)
        : display_(&display),
          window_(&window),
          twin_({}, {.width = width, .height = height}),
          over_controls_(upper_middle(gui::regions(width, height, {}).controls)) {}

    Person& twin() { return twin_; }
    const Scene& scene() { return twin_.scene(); }

    /// Clicks at a share of the area's width, in the middle of its height.
    void click(const std::string& area, double share = 0.5) {
        const plot::Rect r = twin_.place(area);
        const plot::Pixel at = whole({r.x + r.width * share, r.y + r.height / 2});
        act(at, {"click", "--delay", kNoDelay, "1"});
        twin_.gui().input.mouse = at;
        twin_.frames(1);
        twin_.gui().input.mouse_down = true;
        twin_.frames(1);
        twin_.gui().input.mouse_down = false;
        twin_.frames(kFramesAfterInput);
        wait_until_alike("a click on " + area);
    }
    /// Types into the field that is open.
    void type(const std::string& text) {
        display_->act({"type", "--delay", kNoDelay, text});
        twin_.type(text);
        wait_until_alike("typing " + text);
        key(GLFW_KEY_ENTER, "Return");
    }
    /// By its key: the navigation's end is out of sight.
    void show_view(const figures::View& view) {
        const char name = view.key;  // GLFW's constant is the same
        key(name, std::string(1, static_cast<char>(std::tolower(name))));
    }
    void undo() { key(GLFW_KEY_Z, "ctrl+z", true); }

    /// Turns the wheel over the controls until the whole area is in sight: back to their beginning,
    /// from which both windows come to the same place, and then forth.
    void scroll_to(const std::string& area) {
        if (scrolled_ == 0 && twin_.probe(area).whole) {
            return;
        }
        if (scrolled_ > 0) {
            turn_in_twin(scrolled_);
            turn_in_window(std::exchange(scrolled_, 0), false);
        }
        constexpr int kFarEnough = 60;
        for (; !twin_.probe(area).whole; ++scrolled_) {
            if (scrolled_ == kFarEnough) {
                throw std::runtime_error("the wheel does not reach " + area);
            }
            turn_in_twin(-1);
        }
        if (scrolled_ > 0) {
            turn_in_window(scrolled_, true);
        }
    }

  private:
    /// xdotool's milliseconds behind each event; the window takes events that come together.
    static constexpr const char* kNoDelay = "1";
    /// What follows an input is drawn, and a field that opened has the keyboard.
    static constexpr int kFramesAfterInput = 3;

    static plot::Pixel upper_middle(plot::Rect r) {
        return whole({r.x + r.width / 2, r.y + r.height / 4});
    }
    static plot::Pixel whole(plot::Pixel at) { return {std::floor(at.x), std::floor(at.y)}; }

    /// Moves the mouse to the place, and does more there.
    void act(plot::Pixel at, const std::vector<std::string>& more) const {
        std::vector<std::string> hand = {"mousemove", std::to_string(static_cast<int>(at.x)),
                                         std::to_string(static_cast<int>(at.y))};
        hand.insert(hand.end(), more.begin(), more.end());
        display_->act(hand);
    }
    void key(int pressed, const std::string& name, bool control = false) {
        display_->act({"key", "--delay", kNoDelay, name});
        twin_.state().keys.push_back({pressed, control});
        twin_.frames(kFramesAfterInput);
        wait_until_alike(name);
    }
    void turn_in_twin(int turns) {
        twin_.gui().input.mouse = over_controls_;
        twin_.frames(1);
        twin_.gui().input.wheel = turns;
        twin_.frames(2);
    }
    void turn_in_window(int turns, bool down) {
        act(over_controls_,
            {"click", "--delay", kNoDelay, "--repeat", std::to_string(turns), down ? "5" : "4"});
        // The events come in order: when the mouse has moved on, the wheel has turned. It moves on
        // to another place than the last time: a report of that one says nothing.
        const plot::Pixel on{over_controls_.x, over_controls_.y + (down ? 1 : 2)};
        act(on, {});
        if (!window_->until("mouse", {static_cast<int>(on.x), static_cast<int>(on.y)})) {
            throw std::runtime_error("the mouse does not move: " + window_->report().dump());
        }
    }
    void wait_until_alike(const std::string& what) {
        const std::string scene = scene_to_json(twin_.scene());
        const gui::AppState& state = twin_.state();
        const bool menu = state.overlay != gui::Overlay::none;
        if (!window_->until([&](const WatchedWindow::Report& report) {
                return report.at("scene") == scene && report.at("menu open") == menu &&
                       report.at("edited") == state.edit.target &&
                       report.at("typed") == state.edit.text;
            })) {
            throw std::runtime_error(what + ": the window tells " + window_->report().dump() +
                                     " and its twin " + scene);
        }
    }

    const Display* display_;
    WatchedWindow* window_;
    Person twin_;
    plot::Pixel over_controls_;  ///< a place where the wheel turns
    int scrolled_ = 0;           ///< notches from the beginning of the controls
};

/// Takes the slider's knob a fifth of the track along, to the side with more room.
void click_slider(BothWindows& both, const Parameter& parameter) {
    const double now = slider_fraction(both.scene(), parameter);
    both.click("slider of " + parameter.name, now < 0.5 ? now + 0.2 : now - 0.2);
}

void click_segment(BothWindows& both, const Parameter& parameter) {
    const std::vector<std::string>& values = parameter.choices;
    const std::string to = neighbour(values, parameter_text(both.scene(), parameter));
    const auto place = static_cast<double>(std::ranges::find(values, to) - values.begin());
    both.click(parameter.name, (place + 0.5) / static_cast<double>(values.size()));
}

void choose_from_list(BothWindows& both, const Parameter& parameter) {
    const std::string to = neighbour(gui::listed_values(both.scene(), parameter),
                                     parameter_text(both.scene(), parameter));
    both.click("list of " + parameter.name);
    both.click("choice " + to);
}

void type_value(BothWindows& both, const Parameter& parameter, const std::string& text) {
    both.click("value of " + parameter.name);
    both.type(text);
}

void work(BothWindows& both, const Parameter& parameter) {
    const ControlKind kind = control_kind(both.twin(), parameter);
    switch (kind) {
        case ControlKind::slider:
            both.scroll_to("slider of " + parameter.name);
            return click_slider(both, parameter);
        case ControlKind::segments:
            both.scroll_to(parameter.name);
            return click_segment(both, parameter);
        case ControlKind::list:
            both.scroll_to("list of " + parameter.name);
            return choose_from_list(both, parameter);
        case ControlKind::text:
            both.scroll_to("value of " + parameter.name);
            return type_value(both, parameter, text_for(parameter));
    }
}

/// False for a slider from a number to the same number: the frame of a single image.
bool can_change(const Scene& scene, const Parameter& parameter) {
    if (!is_number(parameter)) {
        return true;
    }
    const SliderRange range = slider_range(scene, parameter);
    return range.min < range.max;
}

/// In a window as high as that of other tests, so that it shows as many controls, but narrow:
/// frames of it are drawn in half the time.
class RealControls : public RealWindow {
  protected:
    RealControls() : RealWindow(560) {}
};

TEST_F(RealControls, EveryControlOfEveryViewChangesItsParameter) {
    ROPESCOPE_NEEDS_EGL();
    BothWindows both(*display_, *window_, width_, height_);
    for (const figures::View& view : figures::views()) {
        both.show_view(view);
        ASSERT_EQ(both.scene().view, view.id);
        for (const Parameter* parameter : gui::shown_controls(both.scene())) {
            if (!can_change(both.scene(), *parameter)) {
                continue;
            }
            const Scene before = both.scene();
            work(both, *parameter);
            EXPECT_NE(parameter_text(both.scene(), *parameter), parameter_text(before, *parameter))
                << view.id << ": " << parameter->name;
            EXPECT_EQ(window_->report()["error"], "") << view.id << ": " << parameter->name;
            both.undo();
            EXPECT_TRUE(both.scene() == before) << view.id << ": " << parameter->name;
        }
    }
}

}  // namespace
}  // namespace ropescope::test
