#include "core/analysis/turns.h"

#include <gtest/gtest.h>
#include <numbers>

namespace ropescope {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

TEST(Turns, APairFinishesATurnWithinAsManyPositionsAsItsWavelength) {
    Spectrum spectrum;
    spectrum.inv_freq_rad = {kTurn / 2, kTurn / 8, kTurn / 100};
    EXPECT_EQ(finishing_pairs(spectrum, 1), 0);
    EXPECT_EQ(finishing_pairs(spectrum, 7), 1);
    EXPECT_EQ(finishing_pairs(spectrum, 8), 2);
    EXPECT_EQ(finishing_pairs(spectrum, 1000), 3) << "and no more than there are";
}

TEST(Turns, StillPairsStandAndTheOthersKeepTheirSpeeds) {
    Spectrum spectrum;
    spectrum.inv_freq_rad = {1, 0.5, 0.25, 0.125};
    EXPECT_EQ(with_still_pairs(spectrum, 1, 3).inv_freq_rad, (std::vector<double>{1, 0, 0, 0.125}));
    EXPECT_EQ(with_still_pairs(spectrum, 2, 2).inv_freq_rad, spectrum.inv_freq_rad);
}

}  // namespace
}  // namespace ropescope
