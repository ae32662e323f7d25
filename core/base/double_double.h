// Numbers of about 106 bits, each the unevaluated sum of two doubles (Dekker 1971; Knuth, The Art
// of Computer Programming, volume 2, section 4.2.2), and the functions that frequencies are made
// with.
#pragma once

namespace ropescope {

/// high + low, where |low| is at most half a unit in the last place of high.
struct DoubleDouble {
    double high = 0, low = 0;
};

DoubleDouble operator+(DoubleDouble a, DoubleDouble b);
DoubleDouble operator-(DoubleDouble a);
DoubleDouble operator*(DoubleDouble a, DoubleDouble b);
DoubleDouble operator/(DoubleDouble a, DoubleDouble b);

/// For |x| up to 700. The relative error is below 2^-90.
DoubleDouble exp(DoubleDouble x);
/// For finite x above 0. The absolute error is below 2^-90 (1 + |log x|).
DoubleDouble log(DoubleDouble x);

}  // namespace ropescope
