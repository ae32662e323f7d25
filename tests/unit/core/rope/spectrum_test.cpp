#include "core/rope/spectrum.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>

#include "core/base/error.h"

namespace ropescope {
namespace {

TEST(Spectrum, IsAPowerOfTheBaseForEachPair) {
    const Spectrum spectrum = make_spectrum({.head_dim = 8, .rotary_dim = 8, .base = 10000.0});
    ASSERT_EQ(spectrum.pairs(), 4);
    const double expected[] = {1.0, 0.1, 0.01, 0.001};
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_DOUBLE_EQ(spectrum.inv_freq_rad[i], expected[i]);
    }
    EXPECT_EQ(spectrum.attention_factor, 1.0);
}

TEST(Spectrum, PartialRotaryUsesTheRotaryDimension) {
    const Spectrum spectrum = make_spectrum({.head_dim = 128, .rotary_dim = 4, .base = 1e6});
    ASSERT_EQ(spectrum.pairs(), 2);
    EXPECT_DOUBLE_EQ(spectrum.inv_freq_rad[1], 1e-3);
}

// The header promises 4 units of 2^-53. Here inv_freq^(rotary_dim / 2i) must give the base back;
// the power magnifies the relative error of inv_freq by its exponent, and so the bound.
TEST(Spectrum, IsAccurateToAFewUnits) {
    for (const double base : {1e4, 5e5, 1e6, 1e9}) {
        const RopeSpec spec = {.head_dim = 192, .rotary_dim = 192, .base = base};
        const Spectrum spectrum = make_spectrum(spec);
        for (int i = 1; i < spectrum.pairs(); ++i) {
            const long double exponent = -192.0L / (2.0L * i);
            const long double inv_freq = spectrum.inv_freq_rad[i];
            const auto error = static_cast<double>(std::pow(inv_freq, exponent) / base - 1.0L);
            EXPECT_LE(std::abs(error), 4 * std::ldexp(1.0, -53) * 192.0 / (2.0 * i))
                << "base " << base << " pair " << i;
        }
    }
}

TEST(Spectrum, WavelengthIsOneTurn) {
    Spectrum spectrum;
    spectrum.inv_freq_rad = {1.0, 0.25, 0.0};
    EXPECT_DOUBLE_EQ(spectrum.wavelength_positions(0), 2.0 * std::numbers::pi);
    EXPECT_DOUBLE_EQ(spectrum.wavelength_positions(1), 8.0 * std::numbers::pi);
    EXPECT_EQ(spectrum.wavelength_positions(2), std::numeric_limits<double>::infinity());
}

TEST(Spectrum, RefusesAnInvalidSpec) {
    EXPECT_THROW(make_spectrum({.head_dim = 8, .rotary_dim = 8, .base = 0.0}), InputError);
}

// sin and cos of the C library reduce their argument exactly, so that the reduced angle must have
// the same sine and cosine as the product, up to the rounding of the product: 2^20 * 2^-53.
TEST(ReducedAngle, IsTheSameAngleWithinHalfATurn) {
    const double bound = std::ldexp(1.0, -33);
    for (const double inv_freq : {1.0, 0.86596432336006535, 0.1, 1.2345e-4}) {
        for (const std::int64_t position :
             {0, 1, -1, 3, 40, 2000, 16000, 131071, 1048575, 1048576, -1048576}) {
            const double angle = to_double(position) * inv_freq;
            const double reduced = reduced_angle_rad(position, inv_freq);
            EXPECT_LE(std::abs(reduced), std::numbers::pi);
            EXPECT_NEAR(std::sin(reduced), std::sin(angle), bound) << position << " " << inv_freq;
            EXPECT_NEAR(std::cos(reduced), std::cos(angle), bound) << position << " " << inv_freq;
        }
    }
}

TEST(ReducedAngle, IsExactWhereTheProductIs) {
    // inv_freq = 1: no rounding but that of the result, 2^-53 pi, and of the sine.
    for (const std::int64_t position : {1000, 1048575, 1048576}) {
        EXPECT_NEAR(std::sin(reduced_angle_rad(position, 1.0)), std::sin(to_double(position)),
                    1e-15);
    }
    EXPECT_EQ(reduced_angle_rad(-7, 0.3), -reduced_angle_rad(7, 0.3));
}

TEST(ReducedAngle, StaysWithinHalfATurnForAnySpeed) {
    for (const double inv_freq : {1e3, 1e15, 1e299}) {
        EXPECT_LE(std::abs(reduced_angle_rad(kMaxPosition, inv_freq)), std::numbers::pi);
        // These products are exact; the rest as above.
        for (const Index position : {Index{1}, -kMaxPosition}) {
            EXPECT_NEAR(std::sin(reduced_angle_rad(position, inv_freq)),
                        std::sin(to_double(position) * inv_freq), 1e-15)
                << position << " " << inv_freq;
        }
    }
}

TEST(ReducedAngleSum, IsTheSumOfTheProducts) {
    const std::vector<double> omega = {1.0, 0.25, -3.5};
    for (const std::vector<double>& position :
         {std::vector<double>{3.0, -7.5, 0.125}, {1000.5, 2000.0, -3000.25}, {0, 0, 40.0}}) {
        // These products and their sum are exact, and the sine reduces its argument exactly: 15
        // units of 2^-53 for each axis.
        double angle = 0;
        for (std::size_t a = 0; a < omega.size(); ++a) {
            angle += omega[a] * position[a];
        }
        const double reduced = reduced_angle_sum_rad(position, omega);
        EXPECT_LE(std::abs(reduced), std::numbers::pi);
        EXPECT_NEAR(std::sin(reduced), std::sin(angle), 45 * 0x1p-53);
        EXPECT_NEAR(std::cos(reduced), std::cos(angle), 45 * 0x1p-53);
    }
}

TEST(ReducedAngleSum, OfOneAxisHasTheBitsOfItsProduct) {
    for (const Index position : {Index{-7}, Index{1}, kMaxPosition}) {
        const std::vector<double> positions = {5.0, to_double(position), 9.0};
        EXPECT_EQ(reduced_angle_sum_rad(positions, std::vector<double>{0.0, 0.3, 0.0}),
                  reduced_angle_rad(position, 0.3));
    }
}

// These products are not exact, and no library has them: the angles of two positions add up to that
// of their sum.
TEST(ReducedAngle, AddsUpForAnySpeed) {
    for (const double inv_freq : {1e3 / 3, 1e15 / 3, 0x1.fffffffffffffp60, 1e100 / 3, 1e299 / 3,
                                  std::numeric_limits<double>::max()}) {
        for (const auto& [a, b] : {std::pair<Index, Index>{1, 2}, {1048575, 1}, {999983, -7}}) {
            const double sum = reduced_angle_rad(a, inv_freq) + reduced_angle_rad(b, inv_freq);
            const double whole = reduced_angle_rad(a + b, inv_freq);
            // Three reductions of 8 units of 2^-53, and the rounding of their sum.
            EXPECT_NEAR(std::sin(sum), std::sin(whole), 4e-15) << inv_freq << " " << a;
            EXPECT_NEAR(std::cos(sum), std::cos(whole), 4e-15) << inv_freq << " " << a;
        }
    }
    EXPECT_TRUE(std::isnan(reduced_angle_rad(1, std::numeric_limits<double>::infinity())));
    // Between two positions, too; this product is exact.
    EXPECT_NEAR(std::sin(reduced_angle_sum_rad(std::vector{-0.5}, std::vector{1e299})),
                std::sin(-0.5e299), 2e-15);
}

}  // namespace
}  // namespace ropescope
