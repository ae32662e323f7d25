// Logarithm, exponential and power with the 64 bits that long double has on x86. Some libraries
// compute them in double whatever the type promises (musl does, which the browser's build is linked
// with). Sources: wide_math.cpp, by the library; wide_math_double.cpp, for those.
#pragma once

#include "core/base/double_double.h"

namespace ropescope {

/// For arguments and results that are normal doubles; a few units of 2^-64, relative to the result
/// and, for a power, to the logarithm of the result.
long double wide_log(long double x);
long double wide_exp(long double x);
long double wide_power(long double base, long double exponent);

/// wide_power() for many exponents of one base.
class PowersOf {
  public:
    explicit PowersOf(long double base);
    long double operator()(long double exponent) const;

  private:
    long double base_;
    DoubleDouble log_base_;  ///< used where the library computes in double
};

}  // namespace ropescope
