// The whole window as a picture, without a display. Sources: screenshot.cpp, png.cpp.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "app/plot/painter.h"
#include "app/scene/scene.h"
#include "core/engine/engine.h"

namespace ropescope::headless {

/// Of a picture of the window.
inline constexpr double kLeastWindowScale = 0.5, kMostWindowScale = 8;

struct ScreenshotOptions {
    int width = 1600;  ///< in units; the picture has width * scale pixels
    int height = 1000;
    double scale = 1;
    std::string theme = "dark";
    bool present = false;     ///< as F5 shows the figure in a lecture hall
    std::string lesson = {};  ///< opened at a step; empty: none
    std::size_t step = 0;
    std::function<void(double done)> progress = {};  ///< of a long figure: the share, 0 .. 1
};

struct Image {
    int width = 0, height = 0;
    std::vector<plot::Color> pixels;  ///< top row first
};

/// Draws warm-up frames until two are equal, with a fixed time step and no ini file.
Image screenshot(const Scene& scene, Engine& engine, const ScreenshotOptions& options);

/// PNG bytes; the same image gives the same bytes.
std::string encode_png(const Image& image);

}  // namespace ropescope::headless
