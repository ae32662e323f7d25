// Rotates by repeated multiplication of one complex number.
#include <cmath>
#include <complex>
#include <cstdlib>
#include <limits>

#include "core/checks/reference/long_double_reference.h"
#include "core/rope/layout.h"

namespace ropescope {
namespace {

using Complex = std::complex<long double>;

/// std::complex's own product checks for infinities, and its pow() takes logarithms.
Complex product(Complex a, Complex b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

Complex power(Complex z, std::int64_t exponent) {
    Complex result(1, 0);
    for (auto left = static_cast<std::uint64_t>(std::llabs(exponent)); left > 0; left >>= 1U) {
        if ((left & 1U) != 0) {
            result = product(result, z);
        }
        z = product(z, z);
    }
    return exponent < 0 ? std::conj(result) : result;
}

std::vector<double> rotate_by_powers(const RopeSpec& spec, const Spectrum& spectrum,
                                     std::span<const double> x, std::int64_t position) {
    std::vector<double> y(x.begin(), x.end());
    for (Index i = 0; i < spec.pairs(); ++i) {
        const ChannelPair pair = pair_channels(spec.layout, spec.rotary_dim, i);
        const auto first = static_cast<std::size_t>(pair.first);
        const auto second = static_cast<std::size_t>(pair.second);
        const long double theta = spectrum.inv_freq_rad[static_cast<std::size_t>(i)];
        const Complex turned =
            product({x[first], x[second]}, power({std::cos(theta), std::sin(theta)}, position));
        y[first] = static_cast<double>(turned.real() * spectrum.attention_factor);
        y[second] = static_cast<double>(turned.imag() * spectrum.attention_factor);
    }
    return y;
}

}  // namespace

Rotator power_rotator() {
    Rotator rotator = route_rotator("powers", rotate_by_powers);
    rotator.position_error = power_error;
    return rotator;
}

double power_error(std::int64_t position) {
    constexpr double kUnit = static_cast<double>(std::numeric_limits<long double>::epsilon()) / 2;
    constexpr double kSqrt5Up = 2.2361;
    const double m = std::abs(static_cast<double>(position));
    return (m * (2 + kSqrt5Up) + 20 * kSqrt5Up) * kUnit;
}

}  // namespace ropescope
