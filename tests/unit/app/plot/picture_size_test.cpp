#include <gtest/gtest.h>

#include "app/plot/picture_layout.h"
#include "tests/support/input_error.h"

namespace ropescope::plot {
namespace {

void expect_size(std::string_view text, double width, double height) {
    const PictureSize size = parse_picture_size("--size", text);
    EXPECT_DOUBLE_EQ(size.width, width) << text;
    EXPECT_DOUBLE_EQ(size.height, height) << text;
}

TEST(PictureSize, IsInUnitsMillimetresOrInches) {
    expect_size("1600x1000", 1600, 1000);
    expect_size("640x480px", 640, 480);
    expect_size("84x60mm", 84 / 25.4 * 96, 60 / 25.4 * 96);  // a page is as large as was asked
    expect_size("3.3x2.5in", 3.3 * 96, 240);
    expect_size("25.4x50.8mm", 96, 192);
}

TEST(PictureSize, AnythingElseIsRefused) {
    for (const char* wrong : {"", "x", "10", "10x", "x10", "10x10x10", "1.5x2", "-3x4", "0x5",
                              "nanxnanmm", "1e9x1mm", "3x2inch", "84mmx60mm"}) {
        const std::string message = test::input_error([&] { parse_picture_size("--size", wrong); });
        EXPECT_NE(message.find("--size: '"), std::string::npos) << wrong;
        EXPECT_NE(message.find("3.3x2.5in"), std::string::npos) << wrong;
    }
    EXPECT_EQ(test::input_error([] { parse_picture_size("--size", "0800x600"); }),
              "--size: '0800' may be a number of another base; give it in decimal, without zeros "
              "in front");
    EXPECT_EQ(test::input_error([] { parse_picture_size("--size", "84x60 mm"); }),
              "--size: '60 ' has a space around it; leave it out");
}

}  // namespace
}  // namespace ropescope::plot
