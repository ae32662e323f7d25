#include "core/rope/axis_positions.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "core/rope/score.h"
#include "tests/support/input_error.h"

namespace ropescope {
namespace {

using test::input_error;
using ::testing::HasSubstr;

/// Half an fp32 ulp below 2, since the gain is 1.5, and what the header of the table allows beside.
constexpr double kAxisBound = 6.1e-8;

/// Three axes: a pair for each, one that does not turn, and one that turns by all.
Spectrum three_axes(bool mixed) {
    Spectrum spectrum{{1.0, 0, 0, 0, 0.5, 0, 0, 0, 0.25, 0, 0, 0}};
    spectrum.axes = 3;
    spectrum.attention_factor = 1.5;
    if (mixed) {
        spectrum.inv_freq_rad.insert(spectrum.inv_freq_rad.end(), {0.5, -0.75, 0.125});
    }
    return spectrum;
}

void expect_sums(const Spectrum& spectrum, const AxisPositions& positions) {
    const RotationTable table = make_rotation_table(spectrum, positions, 2);
    ASSERT_EQ(table.rows, positions.tokens());
    ASSERT_EQ(table.pairs, spectrum.pairs());
    for (Index r = 0; r < table.rows; ++r) {
        for (Index i = 0; i < table.pairs; ++i) {
            double angle = 0;  // exact for these numbers
            for (Index a = 0; a < positions.axes; ++a) {
                angle += spectrum.omega_rad(i)[a] * positions.at(a, r);
            }
            EXPECT_NEAR(table.cos[r * table.pairs + i], 1.5 * std::cos(angle), kAxisBound)
                << r << " " << i;
            EXPECT_NEAR(table.sin[r * table.pairs + i], 1.5 * std::sin(angle), kAxisBound)
                << r << " " << i;
        }
    }
}

TEST(AxisPositions, ATableTurnsByTheSumOverTheAxes) {
    const std::vector<double> whole = {0, 5, -9, 40, 1, -2, 3, 70000, 7, 0, -1, 12};
    const std::vector<double> real = {0, 0.5, -9, 40.25, 1, -2.5, 3, 7, 7, 0, -1.75, 12};
    for (const bool mixed : {false, true}) {
        expect_sums(three_axes(mixed), {whole, 3});
        expect_sums(three_axes(mixed), {real, 3});
    }
}

TEST(AxisPositions, TextTurnsAsInOneAxisToTheBit) {
    const Spectrum one = make_spectrum({.head_dim = 12, .rotary_dim = 12, .base = 100.0});
    Spectrum three{std::vector<double>(18, 0.0), 1.25, 1.0, 3};
    for (Index i = 0; i < 6; ++i) {
        three.inv_freq_rad[3 * i + i % 3] = one.inv_freq_rad[i];
    }
    std::vector<double> positions;
    for (Index a = 0; a < 3; ++a) {
        for (Index token = 0; token < 300; ++token) {
            positions.push_back(to_double(token + 9000));
        }
    }
    Spectrum louder = one;
    louder.attention_factor = 1.25;
    const RotationTable expected = make_rotation_table(louder, 9000, 300, 1);
    const RotationTable table = make_rotation_table(three, {positions, 3}, 1);
    EXPECT_EQ(table.cos, expected.cos);
    EXPECT_EQ(table.sin, expected.sin);
}

TEST(AxisPositions, RefusesWhatDoesNotFit) {
    const Spectrum spectrum = three_axes(false);
    const auto refusal = [&](const std::vector<double>& values, Index axes) {
        return input_error([&] { make_rotation_table(spectrum, AxisPositions{values, axes}, 1); });
    };
    EXPECT_THAT(refusal({1, 2, 3, 4}, 2),
                HasSubstr("positions: 4 numbers in 2 axes; give [3, tok"));
    EXPECT_THAT(refusal({1, 2, 3, 4}, 3), HasSubstr("positions: 4 numbers in 3 axes"));
    EXPECT_THAT(refusal({0, 0, 0, NAN, 0, 0}, 3), HasSubstr("nan in axis 1 of token 1"));
    EXPECT_THAT(refusal({0, 0, 0, 0, 0, 2e6}, 3), HasSubstr("2000000 in axis 2 of token 1"));
    EXPECT_THAT(refusal({0, -std::numeric_limits<double>::infinity(), 0}, 3), HasSubstr("-inf"));
}

TEST(AxisPositions, WhatTakesOnePositionATokenRefusesSeveralAxes) {
    const Spectrum spectrum = three_axes(false);
    const std::vector<Index> ids = {0, 1};
    EXPECT_THAT(input_error([&] { make_rotation_table(spectrum, ids, 1); }),
                HasSubstr("spectrum: 3 axes, and one position for each token"));
    EXPECT_THAT(input_error([&] { make_rotation_table(spectrum, 0, 4, 1); }), HasSubstr("3 axes"));
    EXPECT_THAT(input_error([&] {
                    score_logits({.head_dim = 8, .rotary_dim = 8}, spectrum,
                                 std::vector<PairTerm>(4), 0.0, 1);
                }),
                HasSubstr("3 axes"));
}

}  // namespace
}  // namespace ropescope
