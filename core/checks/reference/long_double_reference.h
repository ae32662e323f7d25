// Frequencies and reduced angles by another route: in long double (64-bit significand on x86) from
// the logarithm of the base, with its own reduction modulo 2 pi.
#pragma once

#include "core/base/index.h"

namespace ropescope {

/// base^(-2 pair / rotary_dim) as exp of a product.
long double reference_inv_freq(double base, Index rotary_dim, Index pair);

/// angle - 2 pi k with the integer k that brings it nearest to 0. Requires |angle| <= 2^21.
long double reference_reduced(long double angle_rad);

}  // namespace ropescope
