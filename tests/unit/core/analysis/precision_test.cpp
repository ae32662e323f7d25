// How far a shift of both positions moves conj(z_m) z_n, by complex numbers.
#include "core/analysis/precision.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <gtest/gtest.h>

namespace ropescope {
namespace {

ChainRow row_of(std::initializer_list<double> angles) {
    ChainRow row;
    for (const double angle : angles) {
        row.cos.push_back(std::cos(angle));
        row.sin.push_back(std::sin(angle));
    }
    return row;
}

TEST(RelativeViolation, IsTheChangeOfEveryPairsProduct) {
    const ChainPair before{row_of({0.1, 2.0, -1.0}), row_of({0.7, 1.0, 0.5})};
    const ChainPair moved{row_of({1.1, 2.5, 0.0}), row_of({1.8, 1.5, 1.75})};
    double worst = 0.0;
    double squares = 0.0;
    // The angle between key and query: 0.6 and 0.7, -1 and -1, 1.5 and 1.75.
    for (const auto& [was, is] :
         {std::pair{0.6, 0.7}, std::pair{-1.0, -1.0}, std::pair{1.5, 1.75}}) {
        const double change = std::abs(std::polar(1.0, is) - std::polar(1.0, was));
        worst = std::max(worst, change);
        squares += change * change;
    }
    const RelativeViolation violation = relative_violation(before, moved, 6);
    EXPECT_NEAR(violation.worst, worst, 1e-15);
    EXPECT_NEAR(violation.typical, std::sqrt(2 * squares) / 6, 1e-15);
}

}  // namespace
}  // namespace ropescope
