// Rotates one head vector in double by complex numbers, by a matrix and by elements.
#include "core/rope/routes.h"

#include <cmath>
#include <complex>
#include <fmt/format.h>

#include "core/base/error.h"

namespace ropescope {
namespace {

struct PairAngle {
    Index first;
    Index second;
    double angle_rad;
};

/// Channels and angle of every pair at this position.
std::vector<PairAngle> pair_angles(const RopeSpec& spec, const Spectrum& spectrum, Index position) {
    validate_position(position);
    require_one_axis(spectrum);
    if (spectrum.pairs() != spec.pairs()) {
        throw InputError(
            fmt::format("spectrum: {} pairs, rotary_dim {} has {}; make it from the "
                        "same spec",
                        spectrum.pairs(), spec.rotary_dim, spec.pairs()));
    }
    std::vector<PairAngle> angles;
    for (Index i = 0; i < spec.pairs(); ++i) {
        const auto [first, second] = pair_channels(spec.layout, spec.rotary_dim, i);
        angles.push_back({first, second, reduced_angle_rad(position, spectrum.inv_freq_rad[i])});
    }
    return angles;
}

void require_head(const RopeSpec& spec, std::span<const double> x) {
    if (std::ssize(x) != spec.head_dim) {
        throw InputError(fmt::format("head vector: {} channels, head_dim is {}; give one head",
                                     x.size(), spec.head_dim));
    }
}

}  // namespace

std::vector<double> rotate_by_complex(const RopeSpec& spec, const Spectrum& spectrum,
                                      std::span<const double> x, Index position) {
    require_head(spec, x);
    const double gain = spectrum.attention_factor;
    std::vector<double> y(x.begin(), x.end());
    for (const PairAngle& pair : pair_angles(spec, spectrum, position)) {
        const std::complex<double> z(x[pair.first], x[pair.second]);
        const std::complex<double> rotated = z * std::polar(gain, pair.angle_rad);
        y[pair.first] = rotated.real();
        y[pair.second] = rotated.imag();
    }
    return y;
}

std::vector<double> rotation_matrix(const RopeSpec& spec, const Spectrum& spectrum,
                                    Index position) {
    const std::vector<PairAngle> angles = pair_angles(spec, spectrum, position);
    const double gain = spectrum.attention_factor;
    const Index n = spec.head_dim;
    std::vector<double> matrix(n * n, 0.0);
    for (Index c = 0; c < n; ++c) {
        matrix[c * n + c] = 1.0;
    }
    for (const PairAngle& pair : angles) {
        matrix[pair.first * n + pair.first] = gain * std::cos(pair.angle_rad);
        matrix[pair.first * n + pair.second] = -gain * std::sin(pair.angle_rad);
        matrix[pair.second * n + pair.first] = gain * std::sin(pair.angle_rad);
        matrix[pair.second * n + pair.second] = gain * std::cos(pair.angle_rad);
    }
    return matrix;
}

std::vector<double> rotate_by_matrix(const RopeSpec& spec, const Spectrum& spectrum,
                                     std::span<const double> x, Index position) {
    require_head(spec, x);
    const std::vector<double> matrix = rotation_matrix(spec, spectrum, position);
    std::vector<double> y(x.size(), 0.0);
    for (std::size_t row = 0; row < y.size(); ++row) {
        for (std::size_t column = 0; column < x.size(); ++column) {
            y[row] += matrix[row * x.size() + column] * x[column];
        }
    }
    return y;
}

std::vector<double> rotate_by_elements(const RopeSpec& spec, const Spectrum& spectrum,
                                       std::span<const double> x, Index position) {
    require_head(spec, x);
    const double gain = spectrum.attention_factor;
    // Full-width tables; a channel that is not rotated has cos 1 and sin 0.
    std::vector<double> cos(x.size(), 1.0);
    std::vector<double> sin(x.size(), 0.0);
    std::vector<double> turned(x.size(), 0.0);  // x after a quarter turn of every pair
    for (const PairAngle& pair : pair_angles(spec, spectrum, position)) {
        cos[pair.first] = cos[pair.second] = gain * std::cos(pair.angle_rad);
        sin[pair.first] = sin[pair.second] = gain * std::sin(pair.angle_rad);
        turned[pair.first] = -x[pair.second];
        turned[pair.second] = x[pair.first];
    }
    std::vector<double> y(x.size());
    for (std::size_t c = 0; c < y.size(); ++c) {
        y[c] = x[c] * cos[c] + turned[c] * sin[c];
    }
    return y;
}

std::vector<double> rotate_by_complex(const RopeSpec& spec, std::span<const double> x,
                                      Index position) {
    return rotate_by_complex(spec, make_spectrum(spec), x, position);
}

std::vector<double> rotate_by_matrix(const RopeSpec& spec, std::span<const double> x,
                                     Index position) {
    return rotate_by_matrix(spec, make_spectrum(spec), x, position);
}

std::vector<double> rotate_by_elements(const RopeSpec& spec, std::span<const double> x,
                                       Index position) {
    return rotate_by_elements(spec, make_spectrum(spec), x, position);
}

std::vector<double> rotation_matrix(const RopeSpec& spec, Index position) {
    return rotation_matrix(spec, make_spectrum(spec), position);
}

}  // namespace ropescope
