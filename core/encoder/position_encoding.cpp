// Encodings of positions other than RoPE, as their papers define them.
#include "core/encoder/position_encoding.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace ropescope {
namespace {

/// [heads, queries, keys] of a number for each head and distance.
template <typename Bias>
std::vector<float> bias_of(std::span<const Index> positions, Index heads, Bias bias) {
    std::vector<float> values;
    values.reserve(static_cast<std::size_t>(heads) * positions.size() * positions.size());
    for (Index h = 0; h < heads; ++h) {
        for (const Index query : positions) {
            for (const Index key : positions) {
                values.push_back(bias(h, key - query));
            }
        }
    }
    return values;
}

}  // namespace

std::vector<float> sinusoidal_rows(std::span<const Index> positions, Index width) {
    std::vector<float> rows;
    rows.reserve(positions.size() * static_cast<std::size_t>(width));
    const double scale = 1.0 / std::sqrt(to_double(width));
    for (const Index position : positions) {
        for (Index c = 0; c < width; ++c) {
            const double inv_freq = std::pow(10000.0, -2.0 * to_double(c / 2) / to_double(width));
            const double angle = to_double(position) * inv_freq;
            rows.push_back(
                static_cast<float>(scale * (c % 2 == 0 ? std::sin(angle) : std::cos(angle))));
        }
    }
    return rows;
}

std::vector<double> alibi_slopes(Index heads) {
    Index power = 1;
    while (2 * power <= heads) {
        power *= 2;
    }
    std::vector<double> slopes;
    for (Index h = 1; h <= power; ++h) {
        slopes.push_back(std::exp2(-8.0 * to_double(h) / to_double(power)));
    }
    for (Index h = 1; std::ssize(slopes) < heads; h += 2) {
        slopes.push_back(std::exp2(-4.0 * to_double(h) / to_double(power)));
    }
    return slopes;
}

Index t5_bucket(Index distance, bool causal) {
    const Index buckets = causal ? kT5Buckets : kT5Buckets / 2;
    const Index behind = !causal && distance > 0 ? buckets : 0;
    const Index size = causal ? std::max<Index>(-distance, 0) : std::abs(distance);
    const Index exact = buckets / 2;
    if (size < exact) {
        return behind + size;
    }
    // log2 is exact for powers of two, which are where ranges begin.
    const double steps = std::log2(to_double(size) / to_double(exact)) /
                         std::log2(to_double(kT5Farthest) / to_double(exact)) *
                         to_double(buckets - exact);
    return behind + std::min<Index>(exact + static_cast<Index>(steps), buckets - 1);
}

std::vector<float> alibi_bias(std::span<const Index> positions, Index heads) {
    const std::vector<double> slopes = alibi_slopes(heads);
    return bias_of(positions, heads, [&](Index h, Index distance) {
        return static_cast<float>(-slopes[static_cast<std::size_t>(h)] *
                                  to_double(std::abs(distance)));
    });
}

std::vector<float> t5_bias(std::span<const Index> positions, Index heads,
                           std::span<const float> table, bool causal) {
    return bias_of(positions, heads, [&](Index h, Index distance) {
        return table[static_cast<std::size_t>(t5_bucket(distance, causal) * heads + h)];
    });
}

}  // namespace ropescope
