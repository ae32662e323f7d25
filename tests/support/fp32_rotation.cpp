// Adds up the roundings of a rotation in fp32.
#include "tests/support/fp32_rotation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ropescope::test {

constexpr double kUnit = 0x1p-24;

double angle_error(const Spectrum& head, Index pair, const AxisPositions& positions, Index token) {
    double error = 0;
    for (Index a = 0; a < head.axes; ++a) {
        const double omega = std::abs(head.omega_rad(pair)[a]);
        if (omega > 0) {
            error += omega * std::abs(positions.at(a, token)) * (std::abs(std::log(omega)) + 4.0) *
                     kUnit;
        }
    }
    return error;
}

std::vector<double> fp32_bounds(const RotaryScheme& scheme, const TokenPositions& positions,
                                Index heads, double largest) {
    const Index tokens = positions.tokens();
    std::vector<double> bounds(heads * tokens * scheme.head_dim, 0.0);
    for (Index row = 0; row < heads * tokens; ++row) {
        const Index token = row % tokens;
        const Spectrum& head = scheme.heads[scheme.heads.size() > 1 ? row / tokens : 0];
        for (Index i = 0; i < scheme.pair_count() && positions.turns[token]; ++i) {
            const double bound =
                (9 * kUnit + std::numbers::sqrt2 * angle_error(head, i, positions.view(), token)) *
                largest;
            bounds[row * scheme.head_dim + scheme.pairs[i].first] = bound;
            bounds[row * scheme.head_dim + scheme.pairs[i].second] = bound;
        }
    }
    return bounds;
}

double largest_of(const std::vector<float>& values) {
    double largest = 0;
    for (const float value : values) {
        largest = std::max(largest, std::abs(double{value}));
    }
    return largest;
}

}  // namespace ropescope::test
