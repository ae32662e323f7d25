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
    static constexpr int kScreenWidth = 1200, kScreenHeight = 1000;

    void SetUp() override {
        if (!display_tools_installed()) {
            ASSERT_FALSE(image_tests_required()) << "Xvfb, xdotool and imagemagick are required";
            GTEST_SKIP() << "install xvfb, xdotool and imagemagick";
        }
        display_ = std::make_unique<Display>(kScreenWidth, kScreenHeight);
    }

    /// Until the program's window is there and not empty.
    void wait_until_drawn() const {
        display_->act({"search", "--sync", "--onlyvisible", "--class", "ropescope"});
        display_->act({"mousemove", "300", "700"});
        for (int i = 0; i < 1000 && all_alike(display_->look()); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
    }

    std::unique_ptr<Display> display_;

  private:
    static bool all_alike(const headless::Image& image) {
        return std::ranges::all_of(image.pixels,
                                   [&](plot::Color c) { return c == image.pixels[0]; });
    }
};

}  // namespace ropescope::test
