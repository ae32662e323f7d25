// References by another route: long double (64-bit significand on x86) from the logarithm of the
// base on, with a reduction modulo 2 pi of its own.
#pragma once

#include <cstdint>

namespace ropescope {

/// base^(-2 pair / rotary_dim) as exp of a product.
long double reference_inv_freq(double base, int rotary_dim, int pair);

/// angle - 2 pi k, the integer k that brings it next to 0; |angle| <= 2^21.
long double reference_reduced(long double angle_rad);

}  // namespace ropescope
