// Where the library's functions have the bits of their type.
#include "core/base/wide_math.h"

#include <cmath>

namespace ropescope {

long double wide_log(long double x) {
    return std::log(x);
}

long double wide_exp(long double x) {
    return std::exp(x);
}

long double wide_power(long double base, long double exponent) {
    return std::pow(base, exponent);
}

PowersOf::PowersOf(long double base) : base_(base) {}

long double PowersOf::operator()(long double exponent) const {
    return wide_power(base_, exponent);
}

}  // namespace ropescope
