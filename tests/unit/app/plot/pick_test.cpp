// Tests of what lies under the cursor.
#include "app/plot/pick.h"

#include <gtest/gtest.h>
#include <limits>

#include "tests/support/special_values.h"

namespace ropescope::plot {
namespace {

using test::kInf;
using test::kNan;

TEST(Pick, FindsTheNearestMark) {
    EXPECT_EQ(pick_index(2.4, 8), 2);
    EXPECT_EQ(pick_index(2.5, 8), 3);
    EXPECT_EQ(pick_index(7.6, 8), 7);
    EXPECT_EQ(pick_index(1e300, 8), 7);
    EXPECT_EQ(pick_index(-3, 8), 0);
}

TEST(Pick, FindsTheCellThatHoldsThePlace) {
    EXPECT_EQ(pick_cell(2.99, 8), 2);
    EXPECT_EQ(pick_cell(-0.01, 8), 0);
    EXPECT_EQ(pick_cell(8, 8), 7);
}

TEST(Pick, KeepsWholeNumbersInTheirRange) {
    EXPECT_EQ(pick_whole(-2.5, -8, 8), -3);
    EXPECT_EQ(pick_whole(-9, -8, 8), -8);
    EXPECT_EQ(pick_whole(3, 5, 8), 5);
}

TEST(Pick, CountsPlacesWithoutANumberAsZero) {
    for (const double at : {kNan, kInf, -kInf}) {
        EXPECT_EQ(pick_index(at, 8), 0);
        EXPECT_EQ(pick_cell(at, 8), 0);
        EXPECT_EQ(pick_whole(at, -8, 8), 0);
        EXPECT_EQ(pick_whole(at, 5, 8), 5);
    }
}

TEST(Pick, AnswersForNoMarksWithZero) {
    EXPECT_EQ(pick_index(3, 0), 0);
    EXPECT_EQ(pick_cell(3, 0), 0);
}

}  // namespace
}  // namespace ropescope::plot
