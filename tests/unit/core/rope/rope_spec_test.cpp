#include "core/rope/rope_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "tests/support/input_error.h"

namespace ropescope {
namespace {

using test::input_error;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string refusal(Index head_dim, Index rotary_dim, double base = 10000.0) {
    return input_error([&] { validate({head_dim, rotary_dim, base, Layout::half_split}); });
}

TEST(RopeSpec, AcceptsWhatModelsUse) {
    EXPECT_NO_THROW(validate({128, 128, 1e4, Layout::half_split}));
    EXPECT_NO_THROW(validate({192, 192, 1e6, Layout::interleaved}));
    EXPECT_NO_THROW(validate({96, 24, 1e4, Layout::half_split}));
    EXPECT_NO_THROW(validate({2, 2, 0.5, Layout::half_split}));
    EXPECT_NO_THROW(validate({kMaxHeadDim, kMaxHeadDim, 1e4, Layout::half_split}));
}

TEST(RopeSpec, RefusesHeadDimsThatAreNotEvenAndPositive) {
    for (const Index head_dim : std::initializer_list<Index>{0, -2, 1, 63, kMaxHeadDim + 2}) {
        EXPECT_THAT(refusal(head_dim, 2), AllOf(HasSubstr("head_dim: " + std::to_string(head_dim)),
                                                HasSubstr("even number from 2 to 4096")));
    }
}

TEST(RopeSpec, RefusesRotaryDims) {
    EXPECT_EQ(refusal(128, 130),
              "rotary_dim: 130 exceeds head_dim 128; give an even number from 2 to 128");
    for (const int rotary_dim : {0, -4, 31}) {
        EXPECT_THAT(refusal(128, rotary_dim),
                    AllOf(HasSubstr("rotary_dim: " + std::to_string(rotary_dim)),
                          HasSubstr("even number from 2 to head_dim 128")));
    }
}

TEST(RopeSpec, RefusesBases) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (const double base :
         {0.0, -1.0, kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_THAT(refusal(128, 128, base),
                    AllOf(HasSubstr("base: "), HasSubstr("a finite number above 0")))
            << base;
    }
    for (const double base : {5e-324, 1e-301}) {
        EXPECT_THAT(refusal(128, 128, base), HasSubstr("is too small to compute with"));
    }
}

TEST(RopeSpec, EveryRefusalIsOneLine) {
    for (const std::string& text :
         {refusal(0, 2), refusal(128, 130), refusal(8, 3), refusal(8, 8, 0.0)}) {
        EXPECT_THAT(text, Not(HasSubstr("\n")));
    }
}

TEST(RopeSpec, PositionsReachTwoToTheTwentyOnBothSides) {
    EXPECT_NO_THROW(validate_position(kMaxPosition));
    EXPECT_NO_THROW(validate_position(-kMaxPosition));
    EXPECT_EQ(input_error([] { validate_position(1048577, "--position"); }),
              "--position: 1048577 is outside the supported range; give -1048576 to 1048576");
    EXPECT_NE(input_error([] { validate_position(-1048577); }), "");
    EXPECT_NE(input_error([] { validate_position(INT64_MIN); }), "");
}

}  // namespace
}  // namespace ropescope
