// Makes the spectrum of a spec and reduces angles to one turn.
#include "core/rope/spectrum.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numbers>
#include <utility>

#include "core/base/error.h"
#include "core/base/multiversion.h"

namespace ropescope {
namespace {

// 2 pi as the nearest double and the rest of it.
constexpr double kTurn = 2.0 * std::numbers::pi;
constexpr double kTurnRest = 2.4492935982947064e-16;

/// Angles of so many turns that their number is not exact in a double. The sine and cosine of the
/// library reduce every double exactly (Payne and Hanek); std::remainder would take a step for each
/// bit of the quotient.
double reduced_by_sine_rad(double angle_rad, double rest_rad) {
    const double first = std::atan2(std::sin(angle_rad), std::cos(angle_rad));
    const double second = std::atan2(std::sin(rest_rad), std::cos(rest_rad));
    return std::remainder(first + second, kTurn);
}

/// position * inv_freq_rad reduced to [-pi, pi].
inline double reduced_product_rad(double m, double inv_freq_rad) {
    const double angle = m * inv_freq_rad;
    const double angle_rest = std::fma(m, inv_freq_rad, -angle);
    const double turns = std::nearbyint(angle / kTurn);
    // angle - turns kTurn is rounded once, at the size of the result; what remains of the error is
    // inv_freq's own, times the position.
    const double reduced = std::fma(-turns, kTurn, angle) + (angle_rest - turns * kTurnRest);
    if (std::abs(reduced) <= std::numbers::pi) {
        return reduced;
    }
    return std::abs(reduced) <= 2 * kTurn ? std::remainder(reduced, kTurn)
                                          : reduced_by_sine_rad(angle, angle_rest);
}

}  // namespace

double Spectrum::wavelength_positions(Index pair, Index axis) const {
    const double inv_freq = omega_rad(pair)[axis];
    return inv_freq == 0.0 ? std::numeric_limits<double>::infinity()
                           : 2.0 * std::numbers::pi / inv_freq;
}

Spectrum make_spectrum(const RopeSpec& spec) {
    validate(spec);
    Frequencies result = frequencies(spec.scaling, frequency_input(spec));
    return {std::move(result.inv_freq_rad), result.attention_factor, result.softmax_scale_factor};
}

ROPESCOPE_MULTIVERSION
double reduced_angle_rad(Index position, double inv_freq_rad) {
    const double m = to_double(position);
    return reduced_product_rad(m, inv_freq_rad);
}

// A sum of two reduced angles is below 2 pi, where a sum is rounded by at most 4 units of 2^-53,
// and the remainder by kTurn, which is 2.2 units off 2 pi, is exact otherwise: 7 beside the 8 of a
// product.
ROPESCOPE_MULTIVERSION
double reduced_angle_sum_rad(std::span<const double> position, std::span<const double> omega_rad) {
    double sum = 0.0;
    for (std::size_t a = 0; a < omega_rad.size(); ++a) {
        const double angle = reduced_product_rad(position[a], omega_rad[a]);
        sum = sum == 0.0 ? angle : std::remainder(sum + angle, kTurn);
    }
    return sum;
}

void require_one_axis(const Spectrum& spectrum) {
    if (spectrum.axes != 1) {
        throw InputError(
            fmt::format("spectrum: {} axes, and one position for each token was given; give {}",
                        spectrum.axes, spectrum.axes));
    }
}

}  // namespace ropescope
