// Frequencies, reduced angles and a rotation by another route, in long double (64-bit significand
// on x86).
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/index.h"
#include "core/checks/sweep.h"
#include "core/rope/rope_spec.h"

namespace ropescope {

/// base^(-2 pair / rotary_dim) as exp of a product.
long double reference_inv_freq(double base, Index rotary_dim, Index pair);

/// angle - 2 pi k with the integer k that brings it nearest to 0. Requires |angle| <= 2^21.
long double reference_reduced(long double angle_rad);

/// Multiplies pair i by z^m, where z = e^{i theta} is formed once in long double and the power by
/// repeated squaring. No angle m theta is formed, and nothing is reduced modulo a turn.
Rotator power_rotator();

/// Error of z^m: squaring doubles the error of z and adds its own, so that an error of at most
/// 2 u for cos and sin of z and sqrt(5) u for a product (R. Brent, C. Percival, P. Zimmermann,
/// "Error bounds on complex floating-point multiplication", Math. Comp. 76, 2007) makes at most
/// m (2 + sqrt(5)) u, and 20 more products at most 20 sqrt(5) u. u is long double's: 2^-64 on x86.
double power_error(std::int64_t position);

// The scaling methods by another route: in long double, from wavelengths and by search, as the
// papers describe them.

/// inv_freq [pairs] of a scaled encoding. `spec` must be valid.
std::vector<long double> reference_scaled_inv_freq(const RopeSpec& spec);

/// The ends of YaRN's ramp: the pair that turns beta times within the original length, found by
/// bisection.
struct ReferenceRamp {
    long double low = 0, high = 0;
};
ReferenceRamp reference_ramp(const RopeSpec& spec, const YarnScaling& yarn);

}  // namespace ropescope
