// Takes floats in 8 bits apart.
#include "core/formats/float8.h"

#include <cmath>
#include <limits>

namespace ropescope {

Float8 float8_of(Dtype dtype) {
    switch (dtype) {
        case Dtype::f8_e5m2:
            return {.fraction = 2, .bias = 15, .infinities = true};
        case Dtype::f8_e4m3fnuz:
            return {.fraction = 3, .bias = 8, .fnuz = true};
        case Dtype::f8_e5m2fnuz:
            return {.fraction = 2, .bias = 16, .fnuz = true};
        default:
            return {};
    }
}

double value_of(const Float8& format, std::uint8_t bits) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    constexpr unsigned kSign = 0x80U, kRest = 0x7fU;
    const bool negative = (bits & kSign) != 0;
    const unsigned rest = bits & kRest;
    const auto fraction_bits = static_cast<unsigned>(format.fraction);
    const unsigned exponent = rest >> fraction_bits, ones = kRest >> fraction_bits;
    const unsigned fraction = rest & ((1U << fraction_bits) - 1U);
    if (format.fnuz && bits == kSign) {
        return kNan;
    }
    if (format.infinities && exponent == ones) {
        const double infinity = std::numeric_limits<double>::infinity();
        return fraction != 0 ? kNan : negative ? -infinity : infinity;
    }
    if (!format.fnuz && !format.infinities && rest == kRest) {
        return kNan;
    }
    const double whole =
        static_cast<double>(fraction) + (exponent == 0 ? 0.0 : std::ldexp(1.0, format.fraction));
    const int power =
        (exponent == 0 ? 1 : static_cast<int>(exponent)) - format.bias - format.fraction;
    return (negative ? -1.0 : 1.0) * std::ldexp(whole, power);
}

}  // namespace ropescope
