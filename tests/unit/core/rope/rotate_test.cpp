#include "core/rope/rotate.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

#include "tests/support/input_error.h"

namespace ropescope {
namespace {

using test::input_error;
using ::testing::HasSubstr;

constexpr Layout kLayouts[] = {Layout::interleaved, Layout::half_split};

Spectrum spectrum_of(int rotary_dim) {
    return make_spectrum({.head_dim = rotary_dim, .rotary_dim = rotary_dim, .base = 100.0});
}

/// Values that differ everywhere and have many significant bits.
std::vector<float> ramp(std::int64_t count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = std::sin(0.37F * static_cast<float>(i) + 0.1F);
    }
    return values;
}

/// The definition, one pair at a time, with the table's own fp32 entries: products and sum in
/// double, rounded once.
std::vector<float> by_definition(TensorView<const float> x, const RotationTableView& table,
                                 const RotateOptions& options, std::vector<float> out,
                                 TensorView<float> y) {
    y.data = out.data();
    const double sign = options.direction == Direction::forward ? 1.0 : -1.0;
    for (std::int64_t b = 0; b < x.batch; ++b) {
        for (std::int64_t h = 0; h < x.heads; ++h) {
            for (std::int64_t l = 0; l < x.positions; ++l) {
                const auto n = std::ssize(options.rows);
                const std::int64_t row =
                    n == 0 ? l : options.rows[n == x.positions ? l : b * x.positions + l];
                std::copy_n(x.row(b, h, l), x.head_dim, y.row(b, h, l));
                for (int i = 0; i < table.pairs; ++i) {
                    const ChannelPair pair = pair_channels(options.layout, 2 * table.pairs, i);
                    const double u = x.row(b, h, l)[pair.first];
                    const double v = x.row(b, h, l)[pair.second];
                    const double c = table.cos[row * table.pairs + i];
                    const double s = sign * table.sin[row * table.pairs + i];
                    y.row(b, h, l)[pair.first] = static_cast<float>(u * c - v * s);
                    y.row(b, h, l)[pair.second] = static_cast<float>(u * s + v * c);
                }
            }
        }
    }
    return out;
}

/// Two products and a sum rounded to fp32 against one rounding, values at most 1 and a sum at most
/// sqrt(2): 2^-25 for each product, 2^-24 for the sum, and 2^-24 for the definition's own.
constexpr float kBound = 3.0F / (1 << 24);

void expect_near(const std::vector<float>& actual, const std::vector<float>& expected) {
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
        ASSERT_NEAR(actual[i], expected[i], kBound) << "value " << i;
    }
}

TEST(Rotate, AQuarterTurnSwapsThePair) {
    const float cos[] = {0.0F};
    const float sin[] = {1.0F};
    std::vector<float> x = {3.0F, 4.0F, 5.0F};
    rotate_in_place(bhld_view(x.data(), 1, 1, 1, 3), {cos, sin, 1, 1}, {});
    EXPECT_EQ(x, (std::vector<float>{-4.0F, 3.0F, 5.0F}));
}

TEST(Rotate, InPlaceFollowsTheDefinitionInBothLayoutsAndMemoryOrders) {
    for (const Layout layout : kLayouts) {
        for (const Direction direction : {Direction::forward, Direction::inverse}) {
            for (const int rotary_dim : {2, 6, 34, 40}) {  // vector remainders of every kind
                const RotationTable table = make_rotation_table(spectrum_of(rotary_dim), 3, 200, 1);
                const RotateOptions options = {layout, direction, {}, 3};
                const std::vector<float> x = ramp(2 * 3 * 200 * 40);
                std::vector<float> y = x;
                const auto bhld = bhld_view(y.data(), 2, 3, 200, 40);
                rotate_in_place(bhld, table.view(), options);
                auto view = bhld;
                view.data = const_cast<float*>(x.data());
                expect_near(y, by_definition(view, table.view(), options, x, view));

                y = x;
                auto blhd = blhd_view(y.data(), 2, 200, 3, 40);
                rotate_in_place(blhd, table.view(), options);
                blhd.data = const_cast<float*>(x.data());
                expect_near(y, by_definition(blhd, table.view(), options, x, blhd));
            }
        }
    }
}

TEST(Rotate, OutOfPlaceHasTheSameBitsAcrossMemoryOrdersAndThreads) {
    const RotationTable table = make_rotation_table(spectrum_of(24), 0, 300, 1);
    const std::vector<float> x = ramp(2 * 5 * 300 * 32);
    for (const Layout layout : kLayouts) {
        std::vector<float> in_place = x;
        rotate_in_place(bhld_view(in_place.data(), 2, 5, 300, 32), table.view(),
                        {layout, Direction::forward, {}, 1});
        for (const int threads : {1, 4}) {
            std::vector<float> out(x.size(), NAN);
            const auto to = blhd_view(out.data(), 2, 300, 5, 32);
            rotate(bhld_view(x.data(), 2, 5, 300, 32), to, table.view(),
                   {layout, Direction::forward, {}, threads});
            const auto expected = bhld_view(in_place.data(), 2, 5, 300, 32);
            for (std::int64_t b = 0; b < 2; ++b) {
                for (std::int64_t h = 0; h < 5; ++h) {
                    for (std::int64_t l = 0; l < 300; ++l) {
                        ASSERT_TRUE(std::equal(to.row(b, h, l), to.row(b, h, l) + 32,
                                               expected.row(b, h, l)))
                            << b << " " << h << " " << l;
                    }
                }
            }
        }
    }
}

TEST(Rotate, StridesMayLeaveGapsThatAreNotTouched) {
    const RotationTable table = make_rotation_table(spectrum_of(8), 0, 4, 1);
    std::vector<float> x(4 * 20, 7.0F);  // 4 positions, 2 heads of 8 channels, 4 channels between
    const TensorView<float> view = {x.data(), 1, 2, 4, 8, 80, 8, 20};
    rotate_in_place(view, table.view(), {});
    for (std::size_t l = 0; l < 4; ++l) {
        for (std::size_t c = 16; c < 20; ++c) {
            EXPECT_EQ(x[l * 20 + c], 7.0F);
        }
    }
    EXPECT_NE(x[20], 7.0F);
}

TEST(Rotate, RowsOfTheTableArePickedByPositionOrByBatchAndPosition) {
    const RotationTable table = make_rotation_table(spectrum_of(8), 0, 50, 1);
    const std::vector<std::int64_t> by_position = {9, 10, 11, 3, 3, 49};
    const std::vector<std::int64_t> by_batch = {5, 6, 7, 8, 9, 0, 1, 2, 3, 49, 48, 47};
    for (const Layout layout : kLayouts) {
        for (const auto& rows : {by_position, by_batch}) {
            const RotateOptions options = {layout, Direction::forward, rows, 2};
            const std::vector<float> x = ramp(2 * 3 * 6 * 10);
            for (const bool heads_first : {true, false}) {
                std::vector<float> y = x;
                auto view = heads_first ? bhld_view(y.data(), 2, 3, 6, 10)
                                        : blhd_view(y.data(), 2, 6, 3, 10);
                rotate_in_place(view, table.view(), options);
                view.data = const_cast<float*>(x.data());
                expect_near(y, by_definition(view, table.view(), options, x, view));
            }
        }
    }
}

TEST(Rotate, InverseUndoesForward) {
    const RotationTable table = make_rotation_table(spectrum_of(16), 1000, 10, 1);
    const std::vector<float> x = ramp(10 * 16);
    for (const Layout layout : kLayouts) {
        std::vector<float> y = x;
        const auto view = bhld_view(y.data(), 1, 1, 10, 16);
        rotate_in_place(view, table.view(), {layout, Direction::forward, {}, 1});
        EXPECT_NE(y, x);
        rotate_in_place(view, table.view(), {layout, Direction::inverse, {}, 1});
        for (std::size_t i = 0; i < x.size(); ++i) {
            // Two rotations of kBound each, and cos^2 + sin^2 off 1 by 2^-24.
            EXPECT_NEAR(y[i], x[i], 3 * kBound);
        }
    }
}

/// Half-split within each half of eight channels, as Gemma 4's vision tower, and an order without
/// rule that leaves channels 2 and 9 out.
const std::vector<ChannelPair> kBlocks = {{0, 2}, {1, 3}, {4, 6}, {5, 7}};
const std::vector<ChannelPair> kAnyOrder = {{7, 0}, {3, 4}, {5, 6}, {8, 1}};

TEST(Rotate, TurnsTheChannelsOfAPairingMap) {
    const RotationTable table = make_rotation_table(spectrum_of(8), 3, 5, 1);
    const std::vector<float> x = ramp(5 * 10);
    for (const std::vector<ChannelPair>& pairs : {kBlocks, kAnyOrder}) {
        std::vector<float> y = x;
        rotate_in_place(bhld_view(y.data(), 1, 1, 5, 10), table.view(), {.pairs = pairs});
        std::vector<float> apart(x.size(), NAN);
        rotate(bhld_view(x.data(), 1, 1, 5, 10), bhld_view(apart.data(), 1, 1, 5, 10), table.view(),
               {.pairs = pairs});
        EXPECT_EQ(apart, y);
        std::vector<float> expected = x;
        for (std::size_t l = 0; l < 5; ++l) {
            for (std::size_t i = 0; i < pairs.size(); ++i) {
                const double u = x[l * 10 + pairs[i].first];
                const double v = x[l * 10 + pairs[i].second];
                const double c = table.cos[l * 4 + i];
                const double s = table.sin[l * 4 + i];
                expected[l * 10 + pairs[i].first] = to_float(u * c - v * s);
                expected[l * 10 + pairs[i].second] = to_float(u * s + v * c);
            }
        }
        expect_near(y, expected);
    }
}

TEST(Rotate, AMapOfALayoutHasTheBitsOfTheLayout) {
    const RotationTable table = make_rotation_table(spectrum_of(24), 0, 9, 1);
    const std::vector<float> x = ramp(2 * 9 * 32);
    for (const Layout layout : kLayouts) {
        std::vector<ChannelPair> pairs;
        for (Index i = 0; i < 12; ++i) {
            pairs.push_back(pair_channels(layout, 24, i));
        }
        std::vector<float> by_layout = x, by_map = x;
        rotate_in_place(bhld_view(by_layout.data(), 1, 2, 9, 32), table.view(), {.layout = layout});
        rotate_in_place(bhld_view(by_map.data(), 1, 2, 9, 32), table.view(), {.pairs = pairs});
        EXPECT_EQ(by_map, by_layout);
    }
}

TEST(Rotate, TokensWithoutARowStayToTheBit) {
    const RotationTable table = make_rotation_table(spectrum_of(8), 1, 2, 1);
    const std::vector<Index> rows = {kNotRotated, 0, 1, kNotRotated};
    const std::vector<float> x = ramp(2 * 4 * 8);
    std::vector<float> y = x, apart(x.size(), NAN);
    rotate_in_place(bhld_view(y.data(), 1, 2, 4, 8), table.view(), {.rows = rows});
    rotate(bhld_view(x.data(), 1, 2, 4, 8), bhld_view(apart.data(), 1, 2, 4, 8), table.view(),
           {.rows = rows});
    EXPECT_EQ(apart, y);
    for (std::size_t i = 0; i < x.size(); ++i) {
        EXPECT_EQ(y[i] == x[i], rows[i / 8 % 4] == kNotRotated) << i;
    }
}

TEST(Rotate, EachHeadMayHaveRowsOfItsOwn) {
    const RotationTable table = make_rotation_table(spectrum_of(8), 1, 12, 1);
    const std::vector<float> x = ramp(3 * 4 * 8);
    for (const bool heads_first : {true, false}) {
        const auto view_of = [&](float* data) {
            return heads_first ? bhld_view(data, 1, 3, 4, 8) : blhd_view(data, 1, 4, 3, 8);
        };
        std::vector<float> y = x, expected = x;
        rotate_in_place(view_of(y.data()), table.view(), {.rows_per_head = 4});
        for (Index h = 0; h < 3; ++h) {
            auto one = view_of(expected.data());
            one.data = one.row(0, h, 0);
            one.heads = 1;
            const std::vector<Index> rows = {4 * h, 4 * h + 1, 4 * h + 2, 4 * h + 3};
            rotate_in_place(one, table.view(), {.rows = rows});
        }
        EXPECT_EQ(y, expected);
    }
}

TEST(Rotate, RefusesMapsAndPartsThatDoNotFit) {
    const RotationTable table = make_rotation_table(spectrum_of(8), 0, 8, 1);
    std::vector<float> x(2 * 4 * 10);
    const auto refusal = [&](const RotateOptions& options) {
        return input_error(
            [&] { rotate_in_place(bhld_view(x.data(), 1, 2, 4, 10), table.view(), options); });
    };
    EXPECT_THAT(refusal({.pairs = std::span(kBlocks).first(3)}),
                HasSubstr("pairs: 3 pairs of channels; the rotation table has 4"));
    const std::vector<ChannelPair> outside = {{0, 1}, {2, 3}, {4, 5}, {6, 10}};
    EXPECT_THAT(refusal({.pairs = outside}), HasSubstr("pairs[3]: channel 10 does not exist"));
    const std::vector<ChannelPair> twice = {{0, 1}, {2, 3}, {4, 5}, {6, 3}};
    EXPECT_THAT(refusal({.pairs = twice}), HasSubstr("pairs[3]: channel 3 is in two places"));
    EXPECT_THAT(refusal({.rows_per_head = 5}), HasSubstr("3 rows for 4 positions"));
    EXPECT_THAT(refusal({.rows_per_head = 9}), HasSubstr("rows_per_head: 9 rows for each of 2"));
    EXPECT_THAT(refusal({.rows_per_head = -1}), HasSubstr("rows_per_head: -1"));
}

TEST(Rotate, NothingToRotateIsNoError) {
    const RotationTable table = make_rotation_table(spectrum_of(8), 0, 4, 1);
    std::vector<float> x(1, 2.0F);
    rotate_in_place(bhld_view(x.data(), 1, 2, 0, 8), table.view(), {});
    rotate_in_place(bhld_view(x.data(), 0, 2, 3, 8), table.view(), {});
    rotate_in_place(bhld_view(x.data(), 1, 0, 3, 8), table.view(), {});
    EXPECT_EQ(x[0], 2.0F);
}

TEST(Rotate, RefusesWhatDoesNotFit) {
    const RotationTable table = make_rotation_table(spectrum_of(8), 0, 4, 1);
    std::vector<float> x(2 * 2 * 5 * 8);
    std::vector<std::int64_t> rows;
    const auto refusal = [&](std::int64_t positions, std::int64_t head_dim) {
        return input_error([&] {
            rotate_in_place(bhld_view(x.data(), 2, 2, positions, head_dim), table.view(),
                            {Layout::half_split, Direction::forward, rows, 1});
        });
    };
    EXPECT_THAT(refusal(4, 6), HasSubstr("4 pairs do not fit head_dim 6; give 1 to 3 pairs"));
    EXPECT_THAT(refusal(5, 8), HasSubstr("4 rows for 5 positions"));
    rows = {0, 1, 2};
    EXPECT_THAT(refusal(4, 8), HasSubstr("3 row numbers for batch 2 x positions 4; give 4 or 8"));
    rows = {0, 1, 4, 0};
    EXPECT_THAT(refusal(4, 8), HasSubstr("rows[2]: 4 is not a row of the rotation table; give 0 "
                                         "to 3"));
    rows = {0, 0, 0, 0, 0, 0, 0, -2};
    EXPECT_THAT(refusal(4, 8), HasSubstr("rows[7]: -2"));

    const auto view = bhld_view(x.data(), 1, 1, 4, 8);
    EXPECT_THAT(input_error([&] {
                    rotate_in_place(view, {nullptr, nullptr, 4, 0}, {});
                }),
                HasSubstr("0 pairs"));
    EXPECT_THAT(
        input_error([&] { rotate(view, bhld_view(x.data() + 32, 1, 1, 3, 8), table.view(), {}); }),
        HasSubstr("output shape [1, 1, 3, 8] is not the input's [1, 1, 4, 8]"));
}

}  // namespace
}  // namespace ropescope
