// A test with the program in a real window, in a process of its own, on a display of its own.
#pragma once

#include <gtest/gtest.h>
#include <memory>
#include <string>

#include "app/gui/state/regions.h"
#include "tests/gui/on_a_display.h"
#include "tests/gui/watched_window.h"

namespace ropescope::test {

/// A test acts, waits until the window tells what follows, and then looks.
class RealWindow : public OnADisplay {
  protected:
    explicit RealWindow(int screen_width = 1200) : OnADisplay(screen_width) {}

    void SetUp() override {
        OnADisplay::SetUp();
        if (!display_) {
            return;
        }
        window_ = std::make_unique<WatchedWindow>(*display_);
        ASSERT_TRUE(window_->until("view", "rotation")) << "opening: " << window_->report();
        point({300, 700});
    }
    void TearDown() override {
        window_.reset();
        display_.reset();
    }

    void point(plot::Pixel at) {
        const int x = static_cast<int>(at.x), y = static_cast<int>(at.y);
        display_->act({"mousemove", std::to_string(x), std::to_string(y)});
        ASSERT_TRUE(window_->until("mouse", {x, y})) << window_->report();
    }

    /// The window takes 0.92 of the screen.
    const int width_ = screen_width_ * 92 / 100, height_ = kScreenHeight * 92 / 100;
    const gui::Regions regions_ = gui::regions(width_, height_, {});
    std::unique_ptr<WatchedWindow> window_;
};

}  // namespace ropescope::test
