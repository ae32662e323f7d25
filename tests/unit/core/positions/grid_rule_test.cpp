#include "core/positions/grid_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/rope/rotate.h"
#include "tests/support/input_error.h"

namespace ropescope {
namespace {

using test::input_error;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Coordinate kRow = {.axis = "h", .side = GridSide::row};
const Coordinate kColumn = {.axis = "w", .side = GridSide::column};

std::vector<double> axis(const TokenPositions& positions, Index a) {
    const auto first = positions.values.begin() + a * positions.tokens();
    return {first, first + positions.tokens()};
}

/// One axis along a side, on one grid.
std::vector<double> along(const Coordinate& coordinate, const PatchGrid& grid) {
    return axis(grid_positions({.axes = {coordinate}}, {{grid}}), 0);
}

TEST(GridRule, PatchesComeRowByRowAndFrameByFrame) {
    const GridRule rule{.axes = {{.axis = "t", .side = GridSide::frame}, kRow, kColumn}};
    const TokenPositions positions = grid_positions(rule, {{{2, 1, 3}}});
    EXPECT_THAT(axis(positions, 0), ElementsAre(0, 0, 0, 1, 1, 1));
    EXPECT_THAT(axis(positions, 1), ElementsAre(0, 0, 0, 0, 0, 0));
    EXPECT_THAT(axis(positions, 2), ElementsAre(0, 1, 2, 0, 1, 2));
}

TEST(GridRule, BlocksKeepTheirPatchesTogether) {
    const GridRule rule{.axes = {kRow, kColumn}, .merge = 2};
    const TokenPositions positions = grid_positions(rule, {{{1, 2, 4}}});
    EXPECT_THAT(axis(positions, 0), ElementsAre(0, 0, 1, 1, 0, 0, 1, 1));
    EXPECT_THAT(axis(positions, 1), ElementsAre(0, 1, 0, 1, 2, 3, 2, 3));
}

TEST(GridRule, CoordinatesOfASide) {
    const auto spaced = [](Spacing spacing, double scale = 1.0, double offset = 0.0) {
        return Coordinate{"x", GridSide::column, spacing, scale, offset};
    };
    EXPECT_THAT(along(spaced(Spacing::plain, 2.0, -1.0), {1, 1, 3}), ElementsAre(-1, 1, 3));
    EXPECT_THAT(along(spaced(Spacing::by_side, 16.0, 0.5), {1, 1, 4}), ElementsAre(2, 6, 10, 14));
    EXPECT_THAT(along(spaced(Spacing::centred), {1, 1, 5}), ElementsAre(-3, -2, -1, 0, 1));
    EXPECT_THAT(along(spaced(Spacing::ends), {1, 1, 3}), ElementsAre(-1, 0, 1));
    EXPECT_THAT(along(spaced(Spacing::ends), {1, 1, 1}), ElementsAre(-1));
    EXPECT_THAT(along(spaced(Spacing::centres), {1, 1, 4}), ElementsAre(-0.75, -0.25, 0.25, 0.75));
    EXPECT_THAT(along(spaced(Spacing::centres_of_longer), {1, 4, 1}),
                ElementsAre(-0.75, -0.75, -0.75, -0.75));
    EXPECT_THAT(along(spaced(Spacing::centres_of_shorter), {1, 1, 2}), ElementsAre(0, 2));
}

// By hand: the base is 30 x 45, so a grid of 17 x 45 is wide. Its rows lie on a crop of 17 rows
// that begins at round((30 - 17) / 2) = round(6.5) = 6, halves to even, and go in equal steps to 23
// * 16 / 17.
TEST(GridRule, ACropMayBeginInsideTheBaseGrid) {
    GridRule rule{.axes = {kRow}, .base = {1, 30, 45}};
    rule.axes[0].spacing = Spacing::cropped;
    const TokenPositions positions = grid_positions(rule, {{{1, 17, 45}}});
    const double step = (23.0 * 16.0 / 17.0 - 6.0) / 16.0;
    for (Index row = 0; row < 17; ++row) {
        EXPECT_DOUBLE_EQ(positions.values[45 * row], 6.0 + step * to_double(row));
    }
}

TEST(GridRule, TextAndOtherTokensStandBesideThePatches) {
    GridRule rule{
        .axes = {kRow, kColumn}, .still_before = 1, .still_after = 2, .text = TextPositions::last};
    TokenPositions positions = grid_positions(rule, {{{1, 1, 2}}, 3});
    EXPECT_THAT(positions.turns, ElementsAre(false, true, true, true, true, true, false, false));
    EXPECT_THAT(axis(positions, 1), ElementsAre(0, 0, 1, 2, 0, 1, 0, 0));
    EXPECT_THAT(table_rows(positions),
                ElementsAre(kNotRotated, 1, 2, 3, 4, 5, kNotRotated, kNotRotated));
    rule.text = TextPositions::still;
    rule.text_first = false;
    positions = grid_positions(rule, {{{1, 1, 2}}, 1});
    EXPECT_THAT(positions.turns, ElementsAre(false, true, true, false, false, false));
    rule.text = TextPositions::beyond;
    positions = grid_positions(rule, {{{1, 1, 2}, {1, 7, 1}}, 1});
    EXPECT_EQ(axis(positions, 0)[10], 3);
    EXPECT_EQ(axis(positions, 1)[10], 3);
}

TEST(GridRule, LaterGridsMayHaveAPlaceOfTheirOwn) {
    GridRule rule{.axes = {{.axis = "t", .per_grid = 10.0}, kColumn}};
    const TokenPositions positions = grid_positions(rule, {{{1, 1, 2}, {1, 1, 1}, {1, 1, 2}}});
    EXPECT_THAT(axis(positions, 0), ElementsAre(0, 0, 10, 20, 20));
    EXPECT_THAT(axis(positions, 1), ElementsAre(0, 1, 0, 0, 1));
}

TEST(GridRule, RefusesWhatDoesNotFit) {
    const auto refusal = [](const GridRule& rule, const GridTokens& tokens) {
        return input_error([&] { grid_positions(rule, tokens); });
    };
    EXPECT_THAT(refusal({.axes = {kRow}}, {{{1, 0, 4}}}),
                HasSubstr("grid: 1 x 0 x 4; give frames"));
    EXPECT_THAT(refusal({.axes = {kRow}}, {{{1 << 12, 1 << 12, 2}}}),
                HasSubstr("of 1 to 16777216 patches in all"));
    EXPECT_THAT(refusal({.axes = {kRow}, .merge = 2}, {{{1, 4, 5}}}),
                HasSubstr("grid: 1 x 4 x 5 is not made of blocks of 2 x 2 patches"));
    EXPECT_THAT(refusal({.axes = {kRow}, .square = true}, {{{1, 4, 5}}}),
                HasSubstr("grid: 1 x 4 x 5 is not square"));
    EXPECT_THAT(refusal({.axes = {kRow}}, {{{1, 4, 5}}, 2}),
                HasSubstr("2 tokens of text beside 20 others; this model has no text"));
    EXPECT_THAT(refusal({.axes = {kRow}, .text = TextPositions::origin}, {{}, -1}),
                HasSubstr("-1 tokens of text"));
}

TEST(GridRule, SaysHowPositionsAreMade) {
    GridRule rule{.axes = {{"t", GridSide::frame, Spacing::plain, 2.0, -1.0}, kRow},
                  .merge = 2,
                  .still_before = 5,
                  .text = TextPositions::still};
    EXPECT_EQ(describe(rule), "t: 2 x frame - 1; h: row; patches in blocks of 2 x 2");
    EXPECT_EQ(describe_turning(rule), "patches; these do not turn: 5 before the patches and text");
    EXPECT_EQ(describe_turning(GridRule{.axes = {kRow}}), "all tokens");
}

}  // namespace
}  // namespace ropescope
