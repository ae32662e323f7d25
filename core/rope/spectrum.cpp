// Makes the spectrum of a spec and reduces angles to one turn.
#include "core/rope/spectrum.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

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

}  // namespace

double Spectrum::wavelength_positions(Index pair) const {
    const double inv_freq = inv_freq_rad[pair];
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

}  // namespace ropescope
