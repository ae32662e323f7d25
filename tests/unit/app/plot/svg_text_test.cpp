// Numbers and text as SVG and HTML hold them.
#include "app/plot/svg_text.h"

#include <gtest/gtest.h>
#include <limits>

namespace ropescope::test {
namespace {

TEST(SvgText, NumbersHaveNoZerosBehindThePointAndKeepThoseBefore) {
    EXPECT_EQ(plot::svg_number(12.5, 2), "12.5");
    EXPECT_EQ(plot::svg_number(100, 2), "100");
    EXPECT_EQ(plot::svg_number(100, 0), "100");
    EXPECT_EQ(plot::svg_number(0.25, 1), "0.2");
    EXPECT_EQ(plot::svg_number(-0.001, 2), "0");
    EXPECT_EQ(plot::svg_number(-0.3, 0), "0");
}

TEST(SvgText, NumbersThatNoPictureHasStayNumbers) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(plot::svg_number(std::numeric_limits<double>::quiet_NaN(), 2), "0");
    EXPECT_EQ(plot::svg_number(kInfinity, 2), "1000000");
    EXPECT_EQ(plot::svg_number(-1e300, 2), "-1000000");
}

TEST(SvgText, WhatXmlReadsIsEscapedAndWhatItForbidsReplaced) {
    EXPECT_EQ(plot::escaped("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
    EXPECT_EQ(plot::escaped("λ\n\t"), "λ\n\t");
    EXPECT_EQ(plot::escaped("\x01\x1b\xff"), "\uFFFD\uFFFD\uFFFD");
}

}  // namespace
}  // namespace ropescope::test
