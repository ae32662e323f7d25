// How much a system can differ from the exact map of its formula by rounding.
#pragma once

#include <cstdint>
#include <string>

#include "core/systems/system.h"

namespace ropescope {

/// Largest error of an output vector divided by the length of the input vector (plus 1 for an
/// additive system, whose table row has pairs of length 1), first order in the units of rounding:
///   angle: |m| * u * max_i theta_i * (e_i ln base + 3), e_i = 2i / head_dim, over i >= 1. The
///     exponent is rounded (moves base^e by e ln base), then the power, its reciprocal and the
///     product with m; pair 0 has theta = 1 exactly;
///   table: cos and sin are at most 1, so rounding moves each by at most u / 2 and the pair by
///     u / sqrt(2); a bf16 table was fp32 before;
///   products: x cos - y sin is two products and a sum: 3 * 2^-24.
/// u is 2^-8 for bf16, 2^-24 for fp32, and 2^-52 for double, whose pow, sin and cos come from the C
/// library within one unit in the last place.
struct RoundingBound {
    double angle_rad = 0.0;
    double table = 0.0;
    double products = 0.0;

    double total() const { return angle_rad + table + products; }
    /// "fp32 angles at position 2005", "bf16 table" or "fp32 products": the largest part.
    std::string limited_by;
};

RoundingBound rounding_bound(const System& system, std::int64_t head_dim, double base,
                             std::int64_t largest_position, Arithmetic arithmetic);

}  // namespace ropescope
