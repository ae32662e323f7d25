// Pictures against baselines: a picture passes when its largest channel difference is at most
// 3/255, except in at most 1e-4 of its pixels. See README.md beside this file.
#pragma once

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

#include "app/plot/color.h"
#include "app/plot/painter.h"

namespace ropescope::test {

struct Picture {
    int width = 0, height = 0;
    std::vector<plot::Color> pixels;  ///< top row first
};

/// Throws std::runtime_error with libpng's reason.
Picture decode_png(std::string_view bytes);
std::string encode_png(const Picture& picture);

struct Difference {
    bool same_size = true;
    int largest = 0;             ///< of any channel, 0 .. 255
    std::int64_t different = 0;  ///< pixels that differ by more than kChannelTolerance
    Picture picture;             ///< what differs, in white on a dark copy of the expected picture
    bool passes() const;
};

/// Antialiasing of another CPU or library build moves a channel by up to 3; a pixel in ten thousand
/// may round across an edge.
inline constexpr int kChannelTolerance = 3;
inline constexpr double kPixelShare = 1e-4;

Difference compare(const Picture& actual, const Picture& expected);

/// The picture with a part painted over, so that the part counts in no comparison.
Picture without(Picture picture, const plot::Rect& part);
/// The part alone.
Picture cut(const Picture& picture, const plot::Rect& part);

/// Compares a PNG with tests/image/baselines/<name>.png, apart from a part of it. On failure the
/// actual picture and the difference are written to image_failures/ in the build folder, and the
/// message says where. With ROPESCOPE_UPDATE_BASELINES=1 in the environment it writes a baseline
/// that does not match instead, and fails when that is not possible.
testing::AssertionResult matches_baseline(std::string_view png, const std::string& name,
                                          const plot::Rect& apart = {});

}  // namespace ropescope::test
