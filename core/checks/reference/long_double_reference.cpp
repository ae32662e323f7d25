// Spectrum and angles in long double, from the logarithm of the base.
#include "core/checks/reference/long_double_reference.h"

#include <cmath>

#include "core/base/wide_math.h"

namespace ropescope {

long double reference_inv_freq(double base, Index rotary_dim, Index pair) {
    const long double log_base = wide_log(base);
    return wide_exp(-2.0L * static_cast<long double>(pair) * log_base /
                    static_cast<long double>(rotary_dim));
}

// Cody and Waite: 2 pi in three parts, the first two short enough (33 bits) that their products
// with k < 2^19 are exact in 53 bits and more.
long double reference_reduced(long double angle_rad) {
    constexpr long double kFirst = 0x1.921fb544p+2L;
    constexpr long double kSecond = 0x1.0b4611a6p-32L;
    constexpr long double kThird = 0x1.3198a2e03707344ap-67L;
    const long double turns = std::nearbyint(angle_rad / (kFirst + kSecond));
    return ((angle_rad - turns * kFirst) - turns * kSecond) - turns * kThird;
}

}  // namespace ropescope
