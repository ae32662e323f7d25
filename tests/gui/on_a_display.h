// A test with a display of its own, on which the program opens its window.
#pragma once

#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>
#include <memory>
#include <thread>

#include "tests/gui/display.h"
#include "tests/support/needs_egl.h"

namespace ropescope::test {

class OnADisplay : public testing::Test {
  protected:
    explicit OnADisplay(int screen_width = 1200) : screen_width_(screen_width) {}

    void SetUp() override {
        if (!display_tools_installed()) {
            ASSERT_FALSE(image_tests_required()) << "Xvfb, xdotool and imagemagick are required";
            GTEST_SKIP() << "install xvfb, xdotool and imagemagick";
        }
        display_ = std::make_unique<Display>(screen_width_, kScreenHeight);
    }

    /// Until the program's window is there and not empty.
    void wait_until_drawn() const {
        display_->wait_for_window();
        display_->act({"mousemove", "300", "700"});
        for (int i = 0; i < 1000 && all_alike(display_->look()); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
    }

    static constexpr int kScreenHeight = 1000;
    const int screen_width_;
    std::unique_ptr<Display> display_;

  private:
    static bool all_alike(const headless::Image& image) {
        return std::ranges::all_of(image.pixels,
                                   [&](plot::Color c) { return c == image.pixels[0]; });
    }
};

}  // namespace ropescope::test
