// The pictures that pages of their own hold.
#include <cstdlib>
#include <gtest/gtest.h>
#include <vector>

#include "app/pages/png.h"
#include "tests/image/compare.h"

namespace ropescope::test {
namespace {

constexpr int kSide = 64;

std::string encoded(const std::vector<plot::Color>& pixels) {
    return pages::png_bytes({kSide, kSide, pixels});
}

TEST(PagePng, AMapOfValuesHasAPaletteAndNearlyItsColours) {
    std::vector<plot::Color> ramp;
    for (int i = 0; i < kSide * kSide; ++i) {
        const auto level = static_cast<std::uint8_t>(i * 255 / (kSide * kSide - 1));
        const auto other = static_cast<std::uint8_t>((i / 2) * 255 / (kSide * kSide - 1));
        ramp.push_back({level, other, 7});
    }
    const std::string png = encoded(ramp);
    EXPECT_NE(png.find("PLTE"), std::string::npos);
    const Picture drawn = decode_png(png);
    ASSERT_EQ(drawn.pixels.size(), ramp.size());
    for (std::size_t i = 0; i < ramp.size(); ++i) {
        ASSERT_LE(std::abs(drawn.pixels[i].r - ramp[i].r), 2) << i;
        ASSERT_LE(std::abs(drawn.pixels[i].g - ramp[i].g), 2) << i;
        ASSERT_LE(std::abs(drawn.pixels[i].b - ramp[i].b), 2) << i;
    }
}

TEST(PagePng, MoreColoursThanAPaletteHoldsStayAsTheyAre) {
    std::vector<plot::Color> many;
    for (int i = 0; i < kSide * kSide; ++i) {
        many.push_back({static_cast<std::uint8_t>(i % kSide * 4),
                        static_cast<std::uint8_t>(i / kSide * 4), 1});
    }
    const std::string png = encoded(many);
    EXPECT_EQ(png.find("PLTE"), std::string::npos);
    EXPECT_EQ(decode_png(png).pixels, many);
}

}  // namespace
}  // namespace ropescope::test
