#include "core/rope/qk_norm.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace ropescope {
namespace {

const std::vector<double> kRow = {-1, 3, 2, 0.5};

QkNorm norm_of_kind(NormKind kind) {
    return {.kind = kind, .eps = 0};
}

TEST(QkNorm, ARowIsDividedByItsRootAndMultipliedByItsWeights) {
    std::vector<double> weights(kRow.size(), 1.0);
    weights[1] = 2;
    double squares = 0, sum = 0;
    for (const double x : kRow) {
        squares += x * x;
        sum += x;
    }
    const double n = static_cast<double>(kRow.size());
    const double root = std::sqrt(squares / n), mean = sum / n;
    const double deviation = std::sqrt(squares / n - mean * mean);
    const auto first_two = [&](NormKind kind) {
        const auto row = normalised_row(norm_of_kind(kind), weights, kRow);
        EXPECT_EQ(row.size(), kRow.size());
        return std::vector<double>{row[0], row[1]};
    };
    const auto expect_near = [&](NormKind kind, double first, double second) {
        const std::vector<double> row = first_two(kind);
        EXPECT_NEAR(row[0], first, 1e-14) << to_string(kind);
        EXPECT_NEAR(row[1], second, 1e-14) << to_string(kind);
    };
    expect_near(NormKind::rms, -1 / root, 2 * 3 / root);
    expect_near(NormKind::rms_plus_one, 2 * -1 / root, 3 * 3 / root);
    expect_near(NormKind::layer, (-1 - mean) / deviation, 2 * (3 - mean) / deviation);
    expect_near(NormKind::l2, -1 / std::sqrt(squares), 2 * 3 / std::sqrt(squares));
}

TEST(QkNorm, OfRmsHasAMeanSquareOfOne) {
    const std::vector<double> weights(kRow.size(), 1.0);
    double squares = 0;
    for (const double x : normalised_row(norm_of_kind(NormKind::rms), weights, kRow)) {
        squares += x * x;
    }
    EXPECT_NEAR(squares, static_cast<double>(kRow.size()), 1e-13);
}

}  // namespace
}  // namespace ropescope
