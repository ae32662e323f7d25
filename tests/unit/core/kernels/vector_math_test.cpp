// The vector code's e^x and erf against the C library in double.
#include "core/kernels/vector_math.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace ropescope {
namespace {

TEST(VectorMath, ExpIsWithinItsBound) {
    double worst = 0;
    for (float x = -87.3F; x <= 88.0F; x += 0.000731F) {
        const double exact = std::exp(static_cast<double>(x));
        worst = std::max(worst, std::abs(static_cast<double>(exp_f32(x)) - exact) / exact);
    }
    EXPECT_LE(worst, 0x1p-22);  // as its header says
    EXPECT_EQ(exp_f32(0.0F), 1.0F);
    EXPECT_EQ(exp_f32(-0.0F), 1.0F);
}

TEST(VectorMath, ExpEndsInZero) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    for (const float x : {-kInfinity, -1e30F, -1000.0F, -89.0F, -88.0F, -87.7F}) {
        EXPECT_EQ(exp_f32(x), 0.0F) << x;
    }
    // On the way there by at most one least normal number from the exact value.
    constexpr float kLeast = std::numeric_limits<float>::min();
    for (float x = -88.0F; x < -87.0F; x += 0.001F) {
        EXPECT_NEAR(exp_f32(x), std::exp(static_cast<double>(x)), kLeast) << x;
    }
    EXPECT_TRUE(std::isnan(exp_f32(std::numeric_limits<float>::quiet_NaN())));
}

TEST(VectorMath, ErfIsWithinItsBound) {
    for (float x = -6.0F; x <= 6.0F; x += 0.00113F) {
        ASSERT_NEAR(erf_f32(x), std::erf(static_cast<double>(x)), 5e-7) << x;
    }
}

}  // namespace
}  // namespace ropescope
