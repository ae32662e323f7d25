// Makes the spectrum of a spec and reduces angles to one turn.
#include "core/rope/spectrum.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <numbers>
#include <utility>

#include "core/base/error.h"
#include "core/base/multiversion.h"
#include "core/scaling/method.h"

namespace ropescope {
namespace {

// 2 pi as the nearest double and the rest of it.
constexpr double kTurn = 2.0 * std::numbers::pi;
constexpr double kTurnRest = 2.4492935982947064e-16;

__extension__ using Wide = unsigned __int128;  // which ISO C++ does not know

/// A word of zeros, then the bits of 1 / (2 pi) behind the point.
// clang-format off
constexpr std::array<std::uint64_t, 20> kTurnsPerRadian = {
    0,
    0x28BE60DB9391054A, 0x7F09D5F47D4D3770, 0x36D8A5664F10E410,
    0x7F9458EAF7AEF158, 0x6DC91B8E909374B8, 0x01924BBA82746487,
    0x3F877AC72C4A69CF, 0xBA208D7D4BAED121, 0x3A671C09AD17DF90,
    0x4E64758E60D4CE7D, 0x272117E2EF7E4A0E, 0xC7FE25FFF7816603,
    0xFBCBC462D6829B47, 0xDB4D9FB3C9F2C26D, 0xD3D18FD9A797FA8B,
    0x5D49EEB1FAF97C5E, 0xCF41CE7DE294A4BA, 0x9AFED7EC47E35742,
    0x1580CC11BF1EDAEA};
// clang-format on

/// 64 bits of the table from bit `at` on.
std::uint64_t turn_bits(int at) {
    const std::uint64_t high = kTurnsPerRadian[at / 64];
    const int shift = at % 64;
    return shift == 0 ? high : high << shift | kTurnsPerRadian[at / 64 + 1] >> (64 - shift);
}

/// |x| = whole * 2^exponent, for normal numbers.
struct Parts {
    std::uint64_t whole;
    int exponent;
};
Parts parts_of(double x) {
    constexpr int kBits = std::numeric_limits<double>::digits;
    constexpr int kBias = std::numeric_limits<double>::max_exponent - 2 + kBits;
    constexpr std::uint64_t kFirstBit = std::uint64_t{1} << (kBits - 1);  // which is not stored
    const auto stored = std::bit_cast<std::uint64_t>(std::abs(x));
    return {stored % kFirstBit + kFirstBit, static_cast<int>(stored / kFirstBit) - kBias};
}

/// m inv_freq modulo one turn for at least 2^52 turns and |m| < 2^53, where the table suffices
/// (Payne and Hanek). |m inv_freq| is a whole number of 106 bits times 2^e. Of 2^e / (2 pi), the
/// bits before the point make only whole turns, and those behind the 192nd less than 2^-86 turns.
double reduced_exactly_rad(double m, double inv_freq_rad) {
    if (!std::isfinite(inv_freq_rad) || !(std::abs(m) < 0x1p53)) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const Parts a = parts_of(m), b = parts_of(inv_freq_rad);
    const Wide whole = Wide{a.whole} * b.whole;
    const auto low = static_cast<std::uint64_t>(whole);
    const auto high = static_cast<std::uint64_t>(whole >> 64U);
    const int at = 64 + a.exponent + b.exponent;
    const std::uint64_t first = turn_bits(at);
    const std::uint64_t second = turn_bits(at + 64);
    const std::uint64_t third = turn_bits(at + 128);
    // In units of 2^-128 turns; whole turns overflow and are gone.
    const Wide turns = (Wide{low} * first << 64U) + Wide{low} * second +
                       (Wide{low} * third >> 64U) + (Wide{high} * second << 64U) +
                       Wide{high} * third;
    const auto signed_turns = static_cast<Index>(static_cast<std::uint64_t>(turns >> 64U));
    const double reduced = to_double(signed_turns) * 0x1p-64 * kTurn;
    return std::signbit(m) == std::signbit(inv_freq_rad) ? reduced : -reduced;
}

/// position * inv_freq_rad reduced to [-pi, pi].
inline double reduced_product_rad(double m, double inv_freq_rad) {
    const double angle = m * inv_freq_rad;
    const double angle_rest = std::fma(m, inv_freq_rad, -angle);
    const double turns = std::nearbyint(angle / kTurn);
    if (!(std::abs(turns) < 0x1p52)) {  // or no number
        return reduced_exactly_rad(m, inv_freq_rad);
    }
    // angle - turns kTurn is rounded once, at the size of the result; what remains of the error is
    // inv_freq's own, times the position.
    const double reduced = std::fma(-turns, kTurn, angle) + (angle_rest - turns * kTurnRest);
    return std::abs(reduced) <= std::numbers::pi ? reduced : std::remainder(reduced, kTurn);
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
