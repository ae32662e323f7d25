// RoPE-ViT mixed before training, against its definition.
#include <cmath>
#include <gtest/gtest.h>

#include "core/schemes/vision_towers.h"

namespace ropescope {
namespace {

TEST(MixedStart, PairsOfAHeadTurnAlongTwoDirectionsAtRightAngles) {
    const Index d = 64, heads = 3;
    const RotaryScheme scheme = ropevit_mixed_at_start(d, heads, 1);
    ASSERT_EQ(std::ssize(scheme.heads), heads);
    for (const Spectrum& head : scheme.heads) {
        const double first = std::atan2(head.omega_rad(0)[1], head.omega_rad(0)[0]);
        for (Index j = 0; j < d / 4; ++j) {
            const double speed = std::pow(10.0, -4.0 * to_double(j) / to_double(d));
            const auto one = head.omega_rad(j), other = head.omega_rad(j + d / 4);
            // A product with a cosine, and the power before it: a few roundings each.
            const double tolerance = 8 * 0x1p-52 * speed;
            EXPECT_NEAR(one[0], speed * std::cos(first), tolerance);
            EXPECT_NEAR(one[1], speed * std::sin(first), tolerance);
            EXPECT_NEAR(other[0], -speed * std::sin(first), tolerance);
            EXPECT_NEAR(other[1], speed * std::cos(first), tolerance);
        }
    }
}

TEST(MixedStart, HeadsDifferAndSeedsDo) {
    const RotaryScheme scheme = ropevit_mixed_at_start(32, 2, 1);
    EXPECT_NE(scheme.heads[0].inv_freq_rad, scheme.heads[1].inv_freq_rad);
    EXPECT_EQ(ropevit_mixed_at_start(32, 2, 1).heads[0].inv_freq_rad, scheme.heads[0].inv_freq_rad);
    EXPECT_NE(ropevit_mixed_at_start(32, 2, 2).heads[0].inv_freq_rad, scheme.heads[0].inv_freq_rad);
}

}  // namespace
}  // namespace ropescope
