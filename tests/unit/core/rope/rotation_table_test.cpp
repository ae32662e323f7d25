#include "core/rope/rotation_table.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vector>

#include "tests/support/input_error.h"

namespace ropescope {
namespace {

using test::input_error;
using ::testing::HasSubstr;

Spectrum spectrum_of(double base, int rotary_dim = 128) {
    return make_spectrum({.head_dim = rotary_dim, .rotary_dim = rotary_dim, .base = base});
}

/// Half a unit in the last place of fp32 below 1 (2^-25), the rounding of inv_freq to double at
/// this position (|m| inv_freq 2^-53), and 15 multiplications of 3 units of 2^-53.
double bound_at(std::int64_t position) {
    return std::ldexp(1.0, -25) + std::ldexp(std::abs(to_double(position)), -53) +
           std::ldexp(45.0, -53);
}

/// Largest excess over the bound in row r of the table, against cos and sin in long double of an
/// angle formed in long double.
double excess(const RotationTable& table, std::int64_t row, std::int64_t position, double base) {
    double worst = -1.0;
    for (int i = 0; i < table.pairs; ++i) {
        const long double angle = static_cast<long double>(position) *
                                  std::pow(static_cast<long double>(base), -1.0L * i / table.pairs);
        const auto at = row * table.pairs + i;
        const auto cos_error = static_cast<double>(std::abs(std::cos(angle) - table.cos[at]));
        const auto sin_error = static_cast<double>(std::abs(std::sin(angle) - table.sin[at]));
        worst = std::max({worst, cos_error - bound_at(position), sin_error - bound_at(position)});
    }
    return worst;
}

TEST(RotationTable, PositionZeroIsTheIdentity) {
    const RotationTable table = make_rotation_table(spectrum_of(1e4), 0, 1, 1);
    for (std::size_t i = 0; i < 64; ++i) {
        EXPECT_EQ(table.cos[i], 1.0F);
        EXPECT_EQ(table.sin[i], 0.0F);
    }
}

TEST(RotationTable, TheBoundItselfIsBelowTheStatedOne) {
    EXPECT_LT(bound_at(kMaxPosition), 1e-7);
}

TEST(RotationTable, IsAccurateForPositionsFarOut) {
    const std::vector<std::int64_t> positions = {
        0,  1,    2,     31,     32,      33,      40,     63,   64,    2000,     2047,
        -1, 2048, 16000, 131071, 1048575, 1048576, -31000, -100, -2049, -1048575, -1048576};
    for (const double base : {1e4, 5e5, 1e6, 2.0}) {
        const RotationTable table = make_rotation_table(spectrum_of(base), positions);
        ASSERT_EQ(table.rows, std::ssize(positions));
        for (std::size_t r = 0; r < positions.size(); ++r) {
            EXPECT_LE(excess(table, static_cast<std::int64_t>(r), positions[r], base), 0.0)
                << "position " << positions[r] << " base " << base;
        }
    }
}

TEST(RotationTable, RangesAreAccurateAtBothEndsAndAcrossZero) {
    for (const std::int64_t first :
         {-kMaxPosition, std::int64_t{-100}, std::int64_t{4000}, kMaxPosition - 299}) {
        const RotationTable table = make_rotation_table(spectrum_of(1e4, 16), first, 300, 2);
        for (std::int64_t r = 0; r < table.rows; ++r) {
            EXPECT_LE(excess(table, r, first + r, 1e4), 0.0) << "position " << first + r;
        }
    }
}

TEST(RotationTable, ARowHasTheSameBitsWhicheverWayItIsAskedFor) {
    const Spectrum spectrum = spectrum_of(5e5, 20);
    const std::int64_t first = -5000;
    const std::int64_t count = 10000;
    const RotationTable one = make_rotation_table(spectrum, first, count, 1);
    const RotationTable three = make_rotation_table(spectrum, first, count, 3);
    EXPECT_EQ(one.cos, three.cos);
    EXPECT_EQ(one.sin, three.sin);

    std::vector<std::int64_t> backwards;
    for (std::int64_t r = 0; r < count; ++r) {
        backwards.push_back(first + count - 1 - r);
    }
    const RotationTable listed = make_rotation_table(spectrum, backwards, 2);
    for (std::int64_t r = 0; r < count; ++r) {
        for (int i = 0; i < one.pairs; ++i) {
            const auto at = r * one.pairs + i;
            const auto mirrored = (count - 1 - r) * one.pairs + i;
            ASSERT_EQ(one.cos[at], listed.cos[mirrored]) << "row " << r << " pair " << i;
            ASSERT_EQ(one.sin[at], listed.sin[mirrored]) << "row " << r << " pair " << i;
        }
    }
}

TEST(RotationTable, AttentionFactorMultipliesCosAndSin) {
    Spectrum spectrum = spectrum_of(1e4, 8);
    const RotationTable plain = make_rotation_table(spectrum, 90, 50, 1);
    spectrum.attention_factor = 2.0;  // a power of two: exact
    const RotationTable doubled = make_rotation_table(spectrum, 90, 50, 1);
    for (std::size_t i = 0; i < plain.cos.size(); ++i) {
        EXPECT_EQ(doubled.cos[i], 2.0F * plain.cos[i]);
        EXPECT_EQ(doubled.sin[i], 2.0F * plain.sin[i]);
    }
}

TEST(RotationTable, FillingAgainKeepsTheMemoryAndReplacesTheValues) {
    const Spectrum spectrum = spectrum_of(1e4, 8);
    RotationTable table = make_rotation_table(spectrum, 0, 100, 1);
    const float* memory = table.cos.data();
    fill_rotation_table(spectrum, 500, 100, 1, table);
    EXPECT_EQ(table.cos.data(), memory);
    EXPECT_EQ(table.cos, make_rotation_table(spectrum, 500, 100, 1).cos);
    fill_rotation_table(spectrum_of(1e4, 4), 500, 3, 1, table);
    EXPECT_EQ(table.rows, 3);
    EXPECT_EQ(table.pairs, 2);
    EXPECT_EQ(table.sin.size(), 6U);
}

TEST(RotationTable, MayBeEmpty) {
    EXPECT_EQ(make_rotation_table(spectrum_of(1e4), 7, 0).rows, 0);
    EXPECT_EQ(make_rotation_table(spectrum_of(1e4), std::vector<std::int64_t>{}).rows, 0);
}

TEST(RotationTable, TheWholeRangeIsAllowedAndNoMore) {
    const Spectrum spectrum = spectrum_of(1e4, 2);
    EXPECT_EQ(make_rotation_table(spectrum, -kMaxPosition, 2 * kMaxPosition + 1).rows,
              2 * kMaxPosition + 1);
    const auto refusal = [&](std::int64_t first, std::int64_t count) {
        return input_error([&] { make_rotation_table(spectrum, first, count); });
    };
    EXPECT_THAT(refusal(kMaxPosition + 1, 1), HasSubstr("first position: 1048577"));
    EXPECT_THAT(refusal(kMaxPosition, 2), HasSubstr("2 positions from 1048576 on"));
    EXPECT_THAT(refusal(0, -1), HasSubstr("-1 positions from 0 on"));
    EXPECT_NE(refusal(-kMaxPosition, 2 * kMaxPosition + 2), "");
    EXPECT_NE(refusal(0, INT64_MAX), "");
    const std::vector<std::int64_t> listed = {0, 1048577};
    EXPECT_THAT(input_error([&] { make_rotation_table(spectrum, listed); }),
                HasSubstr("position: 1048577"));
}

}  // namespace
}  // namespace ropescope
