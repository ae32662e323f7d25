// The unscaled frequencies.
#include "core/scaling/frequencies.h"

#include <cmath>

namespace ropescope {

std::vector<double> default_inv_freq(Index rotary_dim, double base) {
    const long double wide_base = base;
    std::vector<double> inv_freq_rad;
    for (Index i = 0; i < rotary_dim / 2; ++i) {
        // The exponent is wider than double: rounded to double it would cost up to ln(base) units.
        const long double exponent = -2.0L * i / rotary_dim;
        inv_freq_rad.push_back(static_cast<double>(std::pow(wide_base, exponent)));
    }
    return inv_freq_rad;
}

}  // namespace ropescope
