// Where curves rise and fall below zero, and sinusoids moved by a shift.
#include "core/analysis/decay.h"

#include <gtest/gtest.h>

#include "core/analysis/absolute.h"

namespace ropescope {
namespace {

TEST(Decay, RisesAreCountedAmongTheSteps) {
    const std::vector<double> curve = {4, 3, 3.5, 2, 2.5, 1};
    const Rises rises = find_rises(curve, 1e-9);
    EXPECT_EQ(rises.steps, 5);
    EXPECT_EQ(rises.rising, 2);
    EXPECT_EQ(rises.first, 1);
    EXPECT_DOUBLE_EQ(rises.share(), 0.4);
    EXPECT_DOUBLE_EQ(rises.lowest, 1.0);
    EXPECT_EQ(rises.lowest_at, 5);
}

TEST(Decay, BelowZeroIsNegative) {
    EXPECT_EQ(first_below_zero(std::vector<double>{1, 0, 1e-12, -1e-12, -1}), 3);
    EXPECT_EQ(first_below_zero(std::vector<double>{1, 0}), -1);
}

TEST(Absolute, AShiftedRowIsTheRowOfTheSum) {
    const Spectrum spectrum = make_spectrum({.head_dim = 16, .rotary_dim = 16});
    const std::vector<double> moved = shifted(spectrum, 29, sinusoidal_row(spectrum, 13));
    const std::vector<double> expected = sinusoidal_row(spectrum, 42);
    ASSERT_EQ(moved.size(), expected.size());
    for (std::size_t i = 0; i < moved.size(); ++i) {
        EXPECT_NEAR(moved[i], expected[i], 1e-14) << i;
    }
}

}  // namespace
}  // namespace ropescope
