// Tables and rotations of the GPU engine against double and long double.
#include <cmath>
#include <gmock/gmock.h>

#include "core/base/error.h"
#include "core/checks/reference/error_model.h"
#include "core/checks/reference/long_double_reference.h"
#include "core/rope/routes.h"
#include "tests/gpu/gpu_context.h"
#include "tests/support/random.h"

namespace ropescope::test {
namespace {

class GpuRotation : public GpuTest {};

/// Bound: half an fp32 ulp below 1, a product of two numbers in double, the reduced angles, and
/// inv_freq's own rounding, which the reference does not share.
void expect_table(const RotationTable& table, const RopeSpec& spec,
                  std::span<const std::int64_t> positions) {
    ASSERT_EQ(table.rows, std::ssize(positions));
    ASSERT_EQ(table.pairs, spec.pairs());
    for (std::size_t r = 0; r < positions.size(); ++r) {
        const double bound =
            kFloatPrecision.table_error() + 2 * kReductionError + frequency_error_rad(positions[r]);
        for (int pair = 0; pair < table.pairs; ++pair) {
            const long double inv_freq = reference_inv_freq(spec.base, spec.rotary_dim, pair);
            const long double angle =
                reference_reduced(static_cast<long double>(positions[r]) * inv_freq);
            const std::size_t at =
                r * static_cast<std::size_t>(table.pairs) + static_cast<std::size_t>(pair);
            EXPECT_LE(std::abs(static_cast<double>(table.cos[at] - std::cos(angle))), bound)
                << "position " << positions[r] << ", pair " << pair;
            EXPECT_LE(std::abs(static_cast<double>(table.sin[at] - std::sin(angle))), bound)
                << "position " << positions[r] << ", pair " << pair;
        }
    }
}

TEST_F(GpuRotation, TablesHoldToTheLastPositionAndBelowZero) {
    for (const int rotary_dim : {2, 6, 128, 256}) {
        const RopeSpec spec{rotary_dim, rotary_dim, 10000.0, Layout::half_split};
        const std::vector<std::int64_t> positions{kMaxPosition, -kMaxPosition, 0,   -1,  255,
                                                  256,          131071,        777, -257};
        expect_table(engine().table(make_spectrum(spec), positions), spec, positions);
    }
}

TEST_F(GpuRotation, TablesOfOneRowAndOfOddLengths) {
    const RopeSpec spec{64, 64, 500000.0, Layout::half_split};
    for (const std::int64_t count : {1, 3, 257, 601}) {
        const std::int64_t first = kMaxPosition - count + 1;
        std::vector<std::int64_t> positions;
        for (std::int64_t p = first; p <= kMaxPosition; ++p) {
            positions.push_back(p);
        }
        expect_table(engine().table(make_spectrum(spec), first, count), spec, positions);
    }
    EXPECT_EQ(engine().table(make_spectrum(spec), 5, 0).rows, 0);
}

TEST_F(GpuRotation, TablesCarryTheAttentionFactor) {
    Spectrum spectrum = make_spectrum({8, 8, 10000.0, Layout::half_split});
    const RotationTable plain = engine().table(spectrum, 7, 2);
    spectrum.attention_factor = 2.0;
    const RotationTable doubled = engine().table(spectrum, 7, 2);
    for (std::size_t i = 0; i < plain.cos.size(); ++i) {
        EXPECT_EQ(doubled.cos[i], 2 * plain.cos[i]);  // a power of two scales every rounding
        EXPECT_EQ(doubled.sin[i], 2 * plain.sin[i]);
    }
}

/// Angles of numbers whose products and sums are exact: half an fp32 ulp below 2, since the gain is
/// 1.5, three products of cos and sin in double and the reduced angles.
TEST_F(GpuRotation, TablesOfSeveralAxesTurnByTheSum) {
    Spectrum spectrum{{1.0, 0, 0, 0, 0.5, 0, 0, 0, 0.25, 0, 0, 0, 0.5, -0.75, 0.125}, 1.5, 1.0, 3};
    const double bound = 0x1p-24 + 1.5 * 3 * kReductionError + 0x1p-45;
    std::vector<double> values;
    for (std::int64_t i = 0; i < 3 * 5000; ++i) {  // more tokens than one plan
        values.push_back(to_double(i % 977) - 300.0 + (i % 3 == 0 ? 0.25 : 0.0));
    }
    const AxisPositions positions{values, 3};
    const RotationTable table = engine().table(spectrum, positions);
    ASSERT_EQ(table.rows, 5000);
    ASSERT_EQ(table.pairs, 5);
    for (std::int64_t r = 0; r < table.rows; ++r) {
        for (std::int64_t i = 0; i < table.pairs; ++i) {
            double angle = 0;
            for (std::int64_t a = 0; a < 3; ++a) {
                angle += spectrum.omega_rad(i)[a] * positions.at(a, r);
            }
            const auto at = static_cast<std::size_t>(r * table.pairs + i);
            ASSERT_NEAR(table.cos[at], 1.5 * std::cos(angle), bound) << r << " " << i;
            ASSERT_NEAR(table.sin[at], 1.5 * std::sin(angle), bound) << r << " " << i;
        }
    }
    EXPECT_THROW(engine().table(spectrum, AxisPositions{std::span(values).first(4), 2}),
                 InputError);
    EXPECT_EQ(engine().table(spectrum, AxisPositions{{}, 3}).rows, 0);
}

/// Both engines within 2 u (|x| + |y|) of the definition, values at most 1.
TEST_F(GpuRotation, MapsTokensThatStayAndPartsOfHeadsAsOnTheCpu) {
    constexpr std::int64_t kHeads = 3, kTokens = 40, kDim = 12;
    const RotationTable table =
        make_rotation_table(make_spectrum({8, 8, 100.0, Layout::half_split}), 5, kHeads * kTokens);
    std::vector<std::int64_t> rows;
    for (std::int64_t l = 0; l < kTokens; ++l) {
        rows.push_back(l % 7 == 3 ? kNotRotated : l);
    }
    const std::vector<ChannelPair> any = {{11, 0}, {3, 4}, {5, 6}, {8, 1}};
    const std::vector<ChannelPair> blocks = {{0, 2}, {1, 3}, {4, 6}, {5, 7}};
    const std::vector<ChannelPair> adjacent = {{0, 1}, {2, 3}, {4, 5}, {6, 7}};
    std::vector<float> x(kHeads * kTokens * kDim);
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = std::sin(0.37F * static_cast<float>(i));
    }
    for (const std::vector<ChannelPair>& pairs : {any, blocks, adjacent}) {
        const RotateOptions options{
            .rows = rows, .threads = 1, .pairs = pairs, .rows_per_head = kTokens};
        std::vector<float> ours = x, theirs = x;
        engine().rotate_in_place(bhld_view(ours.data(), 1, kHeads, kTokens, kDim), table.view(),
                                 options);
        rotate_in_place(bhld_view(theirs.data(), 1, kHeads, kTokens, kDim), table.view(), options);
        for (std::size_t i = 0; i < x.size(); ++i) {
            ASSERT_NEAR(ours[i], theirs[i], 8 * kUnitFloat) << i;
            if (rows[i / kDim % kTokens] == kNotRotated) {
                ASSERT_EQ(ours[i], x[i]) << i;
            }
        }
    }
}

struct Shape {
    std::int64_t batch, heads, positions;
    int head_dim, rotary_dim;
};

class GpuRotationOf : public GpuTest, public ::testing::WithParamInterface<Shape> {};

/// Every element against x cos - y sin in double from the very table that was given. Bound: two
/// products and a sum in fp32 with |cos|, |sin| <= 1: 2 u (|x| + |y|).
TEST_P(GpuRotationOf, FollowsItsTableInBothLayoutsAndDirections) {
    const auto [batch, heads, positions, head_dim, rotary_dim] = GetParam();
    const auto size = static_cast<std::size_t>(batch * heads * positions * head_dim);
    const RopeSpec spec{head_dim, rotary_dim, 10000.0, Layout::half_split};
    const RotationTable table = make_rotation_table(make_spectrum(spec), 1000, positions + 2);
    std::mt19937_64 random(71);
    for (const Layout layout : {Layout::half_split, Layout::interleaved}) {
        for (const Direction direction : {Direction::forward, Direction::inverse}) {
            for (const bool by_rows : {false, true}) {
                std::vector<float> x(size);
                for (float& value : x) {
                    value = static_cast<float>(static_cast<double>(random() >> 40) * 0x1p-23 - 1);
                }
                std::vector<std::int64_t> rows;
                for (std::int64_t i = 0; by_rows && i < batch * positions; ++i) {
                    rows.push_back((i * 5 + 1) % table.rows);
                }
                const std::vector<float> before = x;
                // Memory blhd or bhld by turns.
                const auto view = by_rows ? blhd_view(x.data(), batch, positions, heads, head_dim)
                                          : bhld_view(x.data(), batch, heads, positions, head_dim);
                engine().rotate_in_place(view, table.view(), {layout, direction, rows, 0});
                const double sign = direction == Direction::forward ? 1.0 : -1.0;
                const auto rest = static_cast<std::int64_t>(rotary_dim);
                for (std::int64_t i = 0; i < batch * heads * positions; ++i) {
                    const std::int64_t b = i / (heads * positions), h = i / positions % heads,
                                       l = i % positions;
                    const float* out = view.row(b, h, l);
                    const float* in = before.data() + (out - x.data());
                    const std::int64_t row = by_rows ? rows[b * positions + l] : l;
                    for (int pair = 0; pair < table.pairs; ++pair) {
                        const auto [first, second] = pair_channels(layout, rotary_dim, pair);
                        const auto at = static_cast<std::size_t>(row * table.pairs + pair);
                        const double c = table.cos[at], s = sign * table.sin[at];
                        const double a = in[first], v = in[second];
                        const double bound = 2 * kUnitFloat * (std::abs(a) + std::abs(v));
                        ASSERT_NEAR(out[first], a * c - v * s, bound) << "row " << i;
                        ASSERT_NEAR(out[second], a * s + v * c, bound) << "row " << i;
                    }
                    ASSERT_TRUE(std::equal(out + rest, out + head_dim, in + rest)) << "row " << i;
                }
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, GpuRotationOf,
                         ::testing::Values(Shape{1, 1, 1, 2, 2}, Shape{1, 1, 1, 256, 256},
                                           Shape{2, 3, 7, 6, 2}, Shape{2, 3, 67, 64, 16},
                                           Shape{1, 5, 129, 20, 10}, Shape{3, 2, 33, 128, 128}));

TEST_F(GpuRotation, RefusesWhatTheCpuRefuses) {
    const RotationTable table =
        make_rotation_table(make_spectrum({8, 8, 10000.0, Layout::half_split}), 0, 2);
    std::vector<float> x(24, 1.0F);
    EXPECT_THROW(engine().rotate_in_place(bhld_view(x.data(), 1, 1, 3, 8), table.view(), {}),
                 InputError);
    EXPECT_THROW(
        engine().table(make_spectrum({8, 8, 10000.0, Layout::half_split}), kMaxPosition, 2),
        InputError);
    EXPECT_THAT(x, ::testing::Each(1.0F));
}

}  // namespace
}  // namespace ropescope::test
