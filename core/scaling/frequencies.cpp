#include "core/scaling/frequencies.h"

#include <cmath>

namespace ropescope {

std::vector<double> default_inv_freq(int rotary_dim, double base) {
    std::vector<double> inv_freq_rad(static_cast<std::size_t>(rotary_dim / 2));
    for (std::size_t i = 0; i < inv_freq_rad.size(); ++i) {
        // The exponent is wider than double: rounded to double it would cost up to ln(base) units.
        const long double exponent = -2.0L * static_cast<long double>(i) / rotary_dim;
        inv_freq_rad[i] = static_cast<double>(std::pow(static_cast<long double>(base), exponent));
    }
    return inv_freq_rad;
}

}  // namespace ropescope
