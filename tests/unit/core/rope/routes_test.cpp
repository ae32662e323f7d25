#include "core/rope/routes.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "core/base/error.h"

namespace ropescope {
namespace {

using Route = std::vector<double> (*)(const RopeSpec&, std::span<const double>, std::int64_t);
constexpr Route kRoutes[] = {rotate_by_complex, rotate_by_matrix, rotate_by_elements};

// Worked by hand: rotary_dim 4, base 10000, so the pairs turn by 1 and 0.01 rad a position.
TEST(Routes, RotateTheChannelsThatTheLayoutPairs) {
    const std::vector<double> x = {1.0, 0.0, 0.0, 2.0, 9.0, 8.0};
    const double c0 = std::cos(5.0);
    const double s0 = std::sin(5.0);
    const double c1 = std::cos(0.05);
    const double s1 = std::sin(0.05);
    for (const auto route : kRoutes) {
        RopeSpec spec = {.head_dim = 6, .rotary_dim = 4, .base = 1e4};
        spec.layout = Layout::interleaved;  // (0, 1) and (2, 3)
        std::vector<double> y = route(spec, x, 5);
        const double interleaved[] = {c0, s0, -2.0 * s1, 2.0 * c1, 9.0, 8.0};
        spec.layout = Layout::half_split;  // (0, 2) and (1, 3)
        const std::vector<double> z = route(spec, x, 5);
        const double half_split[] = {c0, -2.0 * s1, s0, 2.0 * c1, 9.0, 8.0};
        for (std::size_t c = 0; c < x.size(); ++c) {
            // The angle and its functions are within a few units of 2^-53, of values up to 2.
            EXPECT_NEAR(y[c], interleaved[c], 4e-15) << c;
            EXPECT_NEAR(z[c], half_split[c], 4e-15) << c;
        }
    }
}

TEST(Routes, TheMatrixIsBlockDiagonal) {
    const RopeSpec spec = {
        .head_dim = 6, .rotary_dim = 4, .base = 1e4, .layout = Layout::interleaved};
    const std::vector<double> matrix = rotation_matrix(spec, 3);
    for (std::size_t r = 0; r < 6; ++r) {
        for (std::size_t c = 0; c < 6; ++c) {
            if (r / 2 != c / 2) {
                EXPECT_EQ(matrix[r * 6 + c], 0.0);
            }
        }
    }
    EXPECT_EQ(matrix[4 * 6 + 4], 1.0);
    EXPECT_EQ(matrix[5 * 6 + 4], 0.0);
    EXPECT_GT(matrix[1 * 6 + 0], 0.0) << "sin(3), below the diagonal";
}

TEST(Routes, RefuseWrongSizesAndPositions) {
    const RopeSpec spec = {.head_dim = 6, .rotary_dim = 4};
    const std::vector<double> x(6);
    for (const auto route : kRoutes) {
        EXPECT_THROW(route(spec, std::vector<double>(4), 0), InputError);
        EXPECT_THROW(route(spec, x, kMaxPosition + 1), InputError);
        EXPECT_THROW(route({.head_dim = 6, .rotary_dim = 3}, x, 0), InputError);
    }
}

}  // namespace
}  // namespace ropescope
