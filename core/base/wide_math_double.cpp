// In place of wide_math.cpp where the library computes in double: by sums of two doubles.
#include <cmath>
#include <limits>

#include "core/base/double_double.h"
#include "core/base/wide_math.h"

namespace ropescope {
namespace {

DoubleDouble split(long double x) {
    const auto high = static_cast<double>(x);
    return {high, static_cast<double>(x - static_cast<long double>(high))};
}

long double joined(DoubleDouble x) {
    return static_cast<long double>(x.high) + static_cast<long double>(x.low);
}

}  // namespace

// Zero, infinity and what lies outside the doubles has no second part to gain.
long double wide_log(long double x) {
    return x > 0 && std::isnormal(static_cast<double>(x)) ? joined(log(split(x))) : std::log(x);
}

long double wide_exp(long double x) {
    return std::abs(x) < 700 ? joined(exp(split(x))) : std::exp(x);
}

long double wide_power(long double base, long double exponent) {
    return PowersOf(base)(exponent);
}

PowersOf::PowersOf(long double base) : base_(base) {
    if (base > 0 && std::isnormal(static_cast<double>(base))) {
        log_base_ = log(split(base));
    } else {
        log_base_.high = std::numeric_limits<double>::quiet_NaN();
    }
}

long double PowersOf::operator()(long double exponent) const {
    const bool usual = std::abs(exponent * log_base_.high) < 700;
    return usual ? joined(exp(split(exponent) * log_base_)) : std::pow(base_, exponent);
}

}  // namespace ropescope
