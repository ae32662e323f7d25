// A line in the status bar that goes away by itself.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

namespace ropescope::gui {

struct Notice {
    std::string text;  ///< "copied: ...", or empty
    double seconds_left = 0;

    void say(std::string line) {
        constexpr double kSeconds = 4;
        text = std::move(line);
        seconds_left = kSeconds;
    }
    void advance(double seconds) {
        seconds_left = std::max(0.0, seconds_left - seconds);
        if (seconds_left == 0) {
            text.clear();
        }
    }
};

}  // namespace ropescope::gui
