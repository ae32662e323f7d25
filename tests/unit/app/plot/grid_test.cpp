#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "app/plot/placed_panel.h"
#include "core/base/index.h"
#include "tests/support/recording_painter.h"

namespace ropescope::plot {
namespace {

using test::overlap;
using test::within;

constexpr double kGap = 10;

/// `count` panels that share a cell.
Grid tiles(int count) {
    return {.cells = std::vector<Cell>(count), .row_weights = {1}, .column_weights = {1}};
}

int columns_of(const std::vector<Rect>& frames) {
    std::set<double> lefts;
    for (const Rect& frame : frames) {
        lefts.insert(frame.x);
    }
    return narrow<int>(std::ssize(lefts));
}

Grid placed_in(const Figure& figure, Rect area, double unit) {
    return grid_for(grid_of(figure), figure.panels, area, kGap, unit);
}

/// Two panels above a wide one, and one beside all of them.
Figure four_panels() {
    Figure figure{.row_weights = {1, 3}, .column_weights = {2, 1, 1}};
    figure.panels = {{.id = "below", .row = 1, .column_span = 2},
                     {.id = "beside", .column = 2, .row_span = 2},
                     {.id = "left"},
                     {.id = "right", .column = 1}};
    return figure;
}

TEST(Grid, TilesStandInAsManyColumnsAsTheAreaIsWide) {
    EXPECT_EQ(columns_of(grid_frames(tiles(1), {0, 0, 1000, 500}, kGap)), 1);
    EXPECT_EQ(columns_of(grid_frames(tiles(3), {0, 0, 1000, 500}, kGap)), 3);
    EXPECT_EQ(columns_of(grid_frames(tiles(8), {0, 0, 1000, 500}, kGap)), 4);
    EXPECT_EQ(columns_of(grid_frames(tiles(16), {0, 0, 1000, 500}, kGap)), 6);
    EXPECT_EQ(columns_of(grid_frames(tiles(8), {0, 0, 300, 600}, kGap)), 2);
    EXPECT_EQ(columns_of(grid_frames(tiles(8), {0, 0, 60, 2000}, kGap)), 1);
    EXPECT_EQ(columns_of(grid_frames(tiles(8), {0, 0, 2000, 60}, kGap)), 8);
}

TEST(Grid, TilesFillTheirCellInOrderAndKeepApart) {
    for (const Rect area : {Rect{0, 0, 1000, 500}, {7, 3, 301, 622}, {0, 0, 90, 91}}) {
        for (int count = 1; count <= 40; ++count) {
            const std::vector<Rect> frames = grid_frames(tiles(count), area, kGap);
            ASSERT_EQ(frames.size(), count);
            for (std::size_t i = 0; i < frames.size(); ++i) {
                EXPECT_TRUE(within(frames[i], area)) << i << " of " << count;
                const bool same_row = i > 0 && frames[i].y == frames[i - 1].y;
                EXPECT_TRUE(i == 0 || (same_row ? frames[i].x > frames[i - 1].x
                                                : frames[i].y > frames[i - 1].y &&
                                                      frames[i].x == frames[0].x));
                for (std::size_t j = 0; j < i; ++j) {
                    EXPECT_FALSE(overlap(frames[i], frames[j]))
                        << i << ", " << j << " of " << count;
                }
            }
        }
    }
}

TEST(Grid, TilesLeaveTheOtherCellsAsTheyAre) {
    Figure figure = four_panels();
    const Rect area{0, 0, 1200, 800};
    const std::vector<Rect> alone = grid_frames(grid_of(figure), area, kGap);
    figure.panels.insert(figure.panels.end(), 3, {.id = "beside too", .column = 2, .row_span = 2});
    const std::vector<Rect> shared = grid_frames(grid_of(figure), area, kGap);
    for (const std::size_t same : {0, 2, 3}) {
        EXPECT_EQ(alone[same].x, shared[same].x);
        EXPECT_EQ(alone[same].width, shared[same].width);
        EXPECT_EQ(alone[same].height, shared[same].height);
    }
    for (const std::size_t tile : {1, 4, 5, 6}) {
        EXPECT_TRUE(within(shared[tile], alone[1])) << tile;
        EXPECT_LT(shared[tile].height, alone[1].height / 2);
    }
}

TEST(Grid, AWideAreaKeepsTheFiguresOwnGrid) {
    const Figure figure = four_panels();
    const std::vector<Cell> own = grid_of(figure).cells;
    EXPECT_EQ(placed_in(figure, {0, 0, 1600, 900}, 1).cells, own);
    // As narrow as on a phone, but with too little height for all of them below each other.
    EXPECT_EQ(placed_in(figure, {0, 0, 390, 500}, 1).cells, own);
}

/// The panel "beside" is 395 wide here and as high as the area.
TEST(Grid, StripsOfAHighAreaBecomeRows) {
    const Figure figure = four_panels();
    const std::vector<Cell> own = grid_of(figure).cells;
    EXPECT_EQ(placed_in(figure, {0, 0, 1600, 980}, 1).cells, own);
    EXPECT_NE(placed_in(figure, {0, 0, 1600, 1000}, 1).cells, own);
}

TEST(Grid, TilesThatAreLowerThanTheGapStayInTheirCell) {
    for (const Rect& frame : grid_frames(tiles(9), {0, 0, 12, 6}, kGap)) {
        EXPECT_TRUE(within(frame, {0, 0, 12, 6}));
    }
}

TEST(Grid, ANarrowHighAreaHasOneColumnInTheOrderOfThePanels) {
    const Figure figure = four_panels();
    const Grid grid = placed_in(figure, {0, 0, 390, 844}, 1);
    const std::vector<Rect> frames = grid_frames(grid, {0, 0, 390, 844}, kGap);
    ASSERT_EQ(frames.size(), 4u);
    const Rect below = frames[0], beside = frames[1], left = frames[2], right = frames[3];
    EXPECT_EQ(columns_of(frames), 1);
    for (const Rect& frame : frames) {
        EXPECT_EQ(frame.width, 390);
    }
    EXPECT_LT(below.y, beside.y);
    EXPECT_LT(beside.y, left.y);
    EXPECT_LT(left.y, right.y);
    // Rows of weight 1 and 3, and one that spans both. Each edge is rounded to a pixel, and counts
    // as often as the row of weight 1.
    EXPECT_NEAR(below.height, 3 * left.height, 4);
    EXPECT_NEAR(beside.height, 4 * left.height, 5);
}

TEST(Grid, ANarrowPanelWithoutAxesStaysBesideTheOther) {
    Figure figure = four_panels();
    for (Panel& panel : figure.panels) {
        panel.x.visible = panel.y.visible = false;
    }
    EXPECT_EQ(placed_in(figure, {0, 0, 390, 844}, 1).cells, grid_of(figure).cells);
    figure.panels[1].y.visible = true;
    EXPECT_NE(placed_in(figure, {0, 0, 390, 844}, 1).cells, grid_of(figure).cells);
}

TEST(Grid, TilesStayTogetherInOneColumn) {
    Figure figure{.row_weights = {1, 1}, .column_weights = {1, 1}};
    figure.panels = {{.id = "a"}, {.id = "a"}, {.id = "b", .column = 1}, {.id = "c", .row = 1}};
    const Grid grid = placed_in(figure, {0, 0, 390, 844}, 1);
    EXPECT_EQ(grid.column_weights.size(), 1u);
    EXPECT_EQ(grid.row_weights.size(), 3u);
    EXPECT_EQ(grid.cells[0], grid.cells[1]);
}

TEST(Grid, LettersOfTwiceTheSizeNeedTwiceTheRoom) {
    const Figure figure = four_panels();
    const std::vector<Cell> own = grid_of(figure).cells;
    EXPECT_EQ(placed_in(figure, {0, 0, 1100, 500}, 1).cells, own);
    EXPECT_EQ(placed_in(figure, {0, 0, 500, 1000}, 2).cells, own);
    EXPECT_NE(placed_in(figure, {0, 0, 500, 1000}, 1).cells, own);
    EXPECT_NE(placed_in(figure, {0, 0, 1000, 1100}, 2).cells, own);
}

}  // namespace
}  // namespace ropescope::plot
