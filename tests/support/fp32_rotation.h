// How far a correct rotation may lie off one that another program computed in fp32.
#pragma once

#include <vector>

#include "core/positions/token_positions.h"
#include "core/schemes/rotary_scheme.h"

namespace ropescope::test {

/// Bounds for every number of [heads, tokens, head_dim] if no |x| exceeds `largest`; 0 for channels
/// and tokens that do not turn.
///
/// With u = 2^-24 and cos and sin of the angle that the other program has, x cos - y sin is off by
/// sqrt(2) u |x|max for its two products (|cos| + |sin| <= sqrt(2)), by as much for the sum, and by
/// 2 u |x|max for cos and sin within one ulp. Ours is off by the same with u |x|max for cos and sin
/// within half an ulp: (4 sqrt(2) + 3) u < 9 u in all.
///
/// The other program's angle is off by angle_error() below, which moves the result by at most
/// sqrt(2) |x|max for each radian.
std::vector<double> fp32_bounds(const RotaryScheme& scheme, const TokenPositions& positions,
                                Index heads, double largest);

/// The error of an angle that is computed in fp32: a frequency that is a power is off by |ln omega|
/// u for the rounding of its exponent and u for its own, relative to it; the position, the product
/// and the sum over the axes are rounded once each.
double angle_error(const Spectrum& head, Index pair, const AxisPositions& positions, Index token);

/// The largest magnitude.
double largest_of(const std::vector<float>& values);

}  // namespace ropescope::test
