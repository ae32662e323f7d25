// What the scaling methods share: how each describes itself, what it starts from and returns, and
// the checks of its parameters.
#include "core/scaling/method.h"

#include <cmath>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/wide_math.h"

namespace ropescope {

// Computes the unscaled frequencies, and checks the parameters that several methods have.

std::vector<double> default_inv_freq(Index rotary_dim, double base) {
    const PowersOf powers(base);
    std::vector<double> inv_freq_rad;
    for (Index i = 0; i < rotary_dim / 2; ++i) {
        // The exponent is wider than double: rounded to double it would cost up to ln(base) units.
        const long double exponent = -2.0L * i / rotary_dim;
        inv_freq_rad.push_back(static_cast<double>(powers(exponent)));
    }
    return inv_freq_rad;
}

void require_factor(std::string_view key, double value) {
    if (!std::isfinite(value) || value < 1.0) {
        throw InputError(fmt::format(
            "{}: {} does not extend a context; give a finite number of at least 1", key, value));
    }
}

void require_positive(std::string_view key, double value) {
    if (!std::isfinite(value) || value <= 0.0) {
        throw InputError(fmt::format("{}: {}; give a finite number above 0", key, value));
    }
}

void require_length(std::string_view key, std::int64_t positions) {
    if (positions < 1) {
        throw InputError(fmt::format(
            "{}: {} positions; give the length as a whole number of at least 1", key, positions));
    }
}

}  // namespace ropescope
