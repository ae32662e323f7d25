// A route to the rotation that shares no angle with the others: powers of one complex number.
#pragma once

#include <cstdint>

#include "core/checks/rotator.h"

namespace ropescope {

/// Multiplies pair i by z^m, where z = e^{i theta} is formed once in long double and the power by
/// repeated squaring. No angle m theta is formed, and nothing is reduced modulo a turn.
Rotator power_rotator();

/// Error of z^m: squaring doubles the error of z and adds its own, so that an error of at most
/// 2 u for cos and sin of z and sqrt(5) u for a product (R. Brent, C. Percival, P. Zimmermann,
/// "Error bounds on complex floating-point multiplication", Math. Comp. 76, 2007) makes at most
/// m (2 + sqrt(5)) u, and 20 more products at most 20 sqrt(5) u. u is long double's: 2^-64 on x86.
double power_error(std::int64_t position);

}  // namespace ropescope
