// Spectrum and angles in long double, from the logarithm of the base.
#include "core/checks/reference/long_double_reference.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <limits>
#include <numbers>

#include "core/base/index.h"
#include "core/base/wide_math.h"
#include "core/rope/layout.h"

namespace ropescope {

long double reference_inv_freq(double base, Index rotary_dim, Index pair) {
    const long double log_base = wide_log(base);
    return wide_exp(-2.0L * static_cast<long double>(pair) * log_base /
                    static_cast<long double>(rotary_dim));
}

// Cody and Waite: 2 pi in three parts, the first two short enough (33 bits) that their products
// with k < 2^19 are exact in 53 bits and more.
long double reference_reduced(long double angle_rad) {
    constexpr long double kFirst = 0x1.921fb544p+2L;
    constexpr long double kSecond = 0x1.0b4611a6p-32L;
    constexpr long double kThird = 0x1.3198a2e03707344ap-67L;
    const long double turns = std::nearbyint(angle_rad / (kFirst + kSecond));
    return ((angle_rad - turns * kFirst) - turns * kSecond) - turns * kThird;
}

// Rotates by repeated multiplication of one complex number.

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

// Computes the frequencies of the scaling methods in long double, by another route than the engine.

namespace {

using Real = long double;

constexpr Real kTurn = 2 * std::numbers::pi_v<Real>;

/// e^(-x i) with x = ln(base) 2 / rotary_dim, for any i between the pairs, too.
Real inv_freq_at(const RopeSpec& spec, Real pair) {
    const Real base = spec.base;
    return wide_exp(-2 * pair / spec.rotary_dim * wide_log(base));
}

/// The pair that turns `turns` times within `length` positions: turns fall along the pairs, so
/// halving finds it. Far beyond both ends, where the ramp is cut off anyway.
Real pair_with_turns(const RopeSpec& spec, Real turns, Real length) {
    Real few = -4.0L * spec.rotary_dim, many = 8.0L * spec.rotary_dim;
    for (int step = 0; step < 120; ++step) {
        const Real middle = (few + many) / 2;
        (length * inv_freq_at(spec, middle) / kTurn > turns ? few : many) = middle;
    }
    return (few + many) / 2;
}

struct ReferenceSpectrum {
    const RopeSpec& spec;
    const ReferenceRamp& ramp;  ///< of YaRN
    Index pair;

    Real plain() const { return reference_inv_freq(spec.base, spec.rotary_dim, pair); }
    /// The base grows by stretch^(d / (d - 2)), so this pair slows down by stretch^(2i / (d - 2)).
    Real stretched(Real stretch) const {
        return plain() / wide_power(stretch, 2.0L * pair / (spec.rotary_dim - 2));
    }

    Real operator()(const NoScaling&) const { return plain(); }
    Real operator()(const LinearScaling& linear) const { return plain() / linear.factor; }
    Real operator()(const NtkScaling& ntk) const { return stretched(ntk.factor); }
    Real operator()(const DynamicNtkScaling& ntk) const {
        const Real beyond = std::max<Index>(0, spec.seq_len - ntk.original_positions);
        return stretched(1 + ntk.factor * beyond / ntk.original_positions);
    }
    Real operator()(const YarnScaling& yarn) const {
        Real slowed = (pair - ramp.low) / (ramp.high - ramp.low);
        slowed = std::min<Real>(1, std::max<Real>(0, slowed));
        return plain() * (1 - slowed * (1 - Real(1) / yarn.factor));
    }
    Real operator()(const Llama3Scaling& llama) const {
        const Real wavelength = kTurn / plain();
        const Real length = llama.original_positions;
        const Real longest = length / llama.low_freq_factor;
        const Real shortest = length / llama.high_freq_factor;
        if (wavelength < shortest) {
            return plain();
        }
        if (wavelength > longest) {
            return plain() / llama.factor;
        }
        // The share that keeps its speed falls with 1 / wavelength, from 1 to 0 between the two.
        const Real kept = (1 / wavelength - 1 / longest) / (1 / shortest - 1 / longest);
        return plain() * (kept + (1 - kept) / llama.factor);
    }
    Real operator()(const LongRopeScaling& longrope) const {
        const bool is_long = spec.seq_len > longrope.original_positions;
        return plain() / (is_long ? longrope.long_factor : longrope.short_factor).at(pair);
    }
    Real operator()(const ProportionalScaling& proportional) const {
        const Real share = proportional.partial_rotary_factor;
        const bool turns = 2 * (pair + 1) <= share * spec.head_dim;
        return turns ? plain() / proportional.factor : 0;
    }
};

}  // namespace

ReferenceRamp reference_ramp(const RopeSpec& spec, const YarnScaling& yarn) {
    const Real length = yarn.original_positions;
    ReferenceRamp ramp{pair_with_turns(spec, yarn.beta_fast, length),
                       pair_with_turns(spec, yarn.beta_slow, length)};
    if (yarn.truncate) {
        ramp = {std::floor(ramp.low), std::ceil(ramp.high)};
    }
    return {std::max<Real>(0, ramp.low), std::min<Real>(spec.rotary_dim - 1, ramp.high)};
}

std::vector<long double> reference_scaled_inv_freq(const RopeSpec& spec) {
    const auto* yarn = std::get_if<YarnScaling>(&spec.scaling);
    const ReferenceRamp ramp = yarn == nullptr ? ReferenceRamp{} : reference_ramp(spec, *yarn);
    std::vector<long double> inv_freq;
    for (Index pair = 0; pair < spec.pairs(); ++pair) {
        inv_freq.push_back(std::visit(ReferenceSpectrum{spec, ramp, pair}, spec.scaling));
    }
    return inv_freq;
}

}  // namespace ropescope
