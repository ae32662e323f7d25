// Columns and rows share a length, and whole ones are left out where there is none.
#include <cmath>
#include <gtest/gtest.h>

#include "app/plot/placed_panel.h"

namespace ropescope::plot {
namespace {

const std::vector<Track> kFour = {{.first = 0, .last = 1, .keep = 3},
                                  {.first = 1, .last = 2, .keep = 0},
                                  {.first = 2, .last = 3, .keep = 1},
                                  {.first = 3, .last = 4, .keep = 0}};
const std::vector<double> kNeeded = {40, 30, 20, 10};

TEST(Tracks, ShareWhatIsOver) {
    const TrackMap map = fit_tracks(kFour, kNeeded, {.room = 140});
    EXPECT_EQ(map.left_out, 0);
    // 40 px are over: 10 for each.
    EXPECT_NEAR(map.to_unit(1) * 140, 50, 1e-9);
    EXPECT_NEAR(map.to_unit(2) * 140, 90, 1e-9);
    EXPECT_NEAR(map.to_unit(4) * 140, 140, 1e-9);
}

TEST(Tracks, AreLeftOutWholeTheLastOfTheLeastNeededFirst) {
    const TrackMap one = fit_tracks(kFour, kNeeded, {.room = 90});
    EXPECT_EQ(one.left_out, 1);
    EXPECT_FALSE(one.shows(3.5));
    EXPECT_TRUE(one.shows(0.5) && one.shows(1.5) && one.shows(2.5));
    const TrackMap two = fit_tracks(kFour, kNeeded, {.room = 65});
    EXPECT_EQ(two.left_out, 2);
    EXPECT_TRUE(two.shows(0.5) && two.shows(2.5));
    EXPECT_FALSE(two.shows(1.5));
    EXPECT_EQ(two.to_unit(1.2), two.to_unit(1.8)) << "no room at all";
    EXPECT_EQ(fit_tracks(kFour, kNeeded, {.room = 5}).left_out, 3) << "one always stays";
}

TEST(Tracks, LeadBackToTheirValues) {
    for (const bool from_the_end : {false, true}) {
        const TrackMap map = fit_tracks(kFour, kNeeded, {.room = 90, .from_the_end = from_the_end});
        for (const double value : {0.25, 0.75, 1.5, 2.125}) {
            EXPECT_NEAR(map.from_unit(map.to_unit(value)), value, 1e-12);
        }
    }
}

TEST(Tracks, RowsGrowOnlySoFarAndBeginOnTop) {
    const TrackMap map =
        fit_tracks(kFour, kNeeded, {.room = 1000, .most_growth = 1.5, .from_the_end = true});
    EXPECT_EQ(map.to_unit(1), 1.0) << "the first row ends at the top";
    EXPECT_NEAR(map.to_unit(0), 1 - 0.06, 1e-12);
    EXPECT_TRUE(std::isnan(map.from_unit(0.5))) << "150 of 1000 px are used";
}

TEST(Tracks, HeadingsAreNotCounted) {
    std::vector<Track> tracks = kFour;
    tracks[3].counted = false;
    EXPECT_EQ(fit_tracks(tracks, kNeeded, {.room = 90}).left_out, 0);
}

}  // namespace
}  // namespace ropescope::plot
