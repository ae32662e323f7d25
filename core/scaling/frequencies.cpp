#include "core/scaling/frequencies.h"

#include <cmath>

namespace ropescope {

std::vector<double> default_inv_freq(int rotary_dim, double base) {
    std::vector<double> inv_freq_rad(static_cast<std::size_t>(rotary_dim / 2));
    for (std::size_t i = 0; i < inv_freq_rad.size(); ++i) {
        inv_freq_rad[i] = std::pow(base, -2.0 * static_cast<double>(i) / rotary_dim);
    }
    return inv_freq_rad;
}

}  // namespace ropescope
