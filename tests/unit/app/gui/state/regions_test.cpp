// Where the parts of the window lie at every size.
#include "app/gui/state/regions.h"

#include <cmath>
#include <gtest/gtest.h>

namespace ropescope::gui {
namespace {

using Explanation = RegionOptions::Explanation;

TEST(GuiRegions, AreTheDesignsSizesAtItsSize) {
    const Regions r = regions(1600, 1000, {});
    EXPECT_EQ(r.bar.height, 48);
    EXPECT_EQ(r.navigation.width, 196);
    EXPECT_EQ(r.controls.width, 330);
    EXPECT_EQ(r.explanation.height, 154);
    EXPECT_EQ(r.status.height, 30);
    EXPECT_EQ(r.figure.width, 1600 - 196 - 330);
    EXPECT_EQ(r.figure.height, 1000 - 48 - 30 - 154);
}

TEST(GuiRegions, NavigationShrinksAndExplanationFoldsWhereTheFigureNeedsTheRoom) {
    EXPECT_TRUE(regions(1100, 800, {}).names_in_navigation);
    EXPECT_TRUE(regions(1100, 800, {}).keys_in_navigation);
    EXPECT_TRUE(regions(1099, 800, {}).names_in_navigation);
    EXPECT_FALSE(regions(1099, 800, {}).keys_in_navigation);
    EXPECT_LT(regions(1099, 800, {}).navigation.width, 120);
    EXPECT_FALSE(regions(1099, 800, {.lesson = true}).names_in_navigation);
    EXPECT_FALSE(regions(849, 800, {}).names_in_navigation);
    EXPECT_TRUE(regions(849, 800, {}).keys_in_navigation);
    EXPECT_LT(regions(849, 800, {}).navigation.width, 60);
    EXPECT_TRUE(regions(900, 840, {}).explanation_open);
    EXPECT_FALSE(regions(899, 840, {}).explanation_open);
    EXPECT_TRUE(regions(1600, 820, {}).explanation_open);
    EXPECT_FALSE(regions(1600, 819, {}).explanation_open);
}

TEST(GuiRegions, TheExplanationIsAsHighAsItsWordsAndLeavesTheFigureMoreThanHalf) {
    EXPECT_EQ(regions(1600, 1000, {.words_px = 100}).explanation.height, 154);
    EXPECT_EQ(regions(1600, 1000, {.words_px = 233.5}).explanation.height, 234);
    const Regions most = regions(1600, 1000, {.words_px = 5000});
    EXPECT_EQ(most.explanation.height, std::floor(0.48 * (1000 - 48 - 30)));
    EXPECT_EQ(most.explanation.height + most.figure.height, 1000 - 48 - 30);
    const Regions folded =
        regions(1600, 1000, {.explanation = Explanation::folded, .words_px = 233});
    EXPECT_EQ(folded.explanation.height, 32);
}

TEST(GuiRegions, APersonsChoiceBeatsTheSize) {
    EXPECT_TRUE(regions(800, 600, {.explanation = Explanation::open}).explanation_open);
    EXPECT_FALSE(regions(1600, 1000, {.explanation = Explanation::folded}).explanation_open);
}

TEST(GuiRegions, BreakpointsAreInUnitsNotPixels) {
    const Regions r = regions(3200, 2000, {.unit = 2});
    EXPECT_EQ(r.navigation.width, 2 * 196);
    EXPECT_TRUE(r.names_in_navigation);
    EXPECT_FALSE(regions(1698, 1500, {.unit = 2}).names_in_navigation);
}

/// Together they are the window: nothing overlaps, nothing is left over, whatever the size.
TEST(GuiRegions, TileTheWindowAtEverySize) {
    for (const double unit : {0.5, 1.0, 1.35, 2.0, 3.0}) {
        for (double width = 1; width < 4000; width += 37) {
            for (double height = 1; height < 2400; height += 211) {
                const Regions r = regions(width, height, {.unit = unit});
                double area = 0;
                for (const plot::Rect& part : {r.navigation, r.figure, r.controls, r.explanation}) {
                    ASSERT_GE(part.width, 0) << width << " x " << height;
                    ASSERT_GE(part.height, 0) << width << " x " << height;
                    area += part.width * part.height;
                }
                const double middle = r.status.y - r.bar.height;
                ASSERT_NEAR(area, width * middle, 1e-6) << width << " x " << height;
                ASSERT_LE(r.controls.x + r.controls.width, width + 1e-9);
                ASSERT_EQ(r.explanation.y + r.explanation.height, r.status.y);
            }
        }
    }
}

TEST(GuiRegions, AnOfferTakesThePlaceOfTheExplanation) {
    for (const double width : {1600.0, 1280.0, 800.0}) {
        const Regions r = regions(width, 1000, {.offer = true});
        EXPECT_FALSE(r.explanation_open);
        EXPECT_EQ(r.figure.y + r.figure.height, r.explanation.y) << "it covers no panel";
        EXPECT_EQ(r.explanation.y + r.explanation.height, r.status.y);
        EXPECT_GE(r.explanation.height, r.explanation.width > 540 ? 76 : 108);
    }
}

TEST(GuiRegions, ALessonHasMoreRoomThanTheExplanationAndLeavesTheFigureMore) {
    for (const double height : {360.0, 500.0, 800.0, 1000.0, 2160.0}) {
        for (const bool presenting : {false, true}) {
            const Regions r = regions(1600, height, {.presenting = presenting, .lesson = true});
            EXPECT_GT(r.figure.height, r.explanation.height) << height;
            EXPECT_EQ(r.figure.y + r.figure.height, r.explanation.y) << height;
            EXPECT_EQ(r.explanation.y + r.explanation.height, presenting ? height : r.status.y);
        }
    }
    EXPECT_GT(regions(1600, 1000, {.lesson = true}).explanation.height,
              regions(1600, 1000, {}).explanation.height);
}

}  // namespace
}  // namespace ropescope::gui
