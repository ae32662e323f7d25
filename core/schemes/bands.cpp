// Puts frequencies of axes together to a spectrum.
#include "core/schemes/bands.h"

#include <cmath>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/scaling/method.h"

namespace ropescope {

Spectrum by_axis_of_pair(Index axes, std::span<const double> omega_rad,
                         std::span<const Index> axis_of_pair) {
    Spectrum spectrum{std::vector<double>(omega_rad.size() * axes, 0.0), 1.0, 1.0, axes};
    for (Index i = 0; i < std::ssize(omega_rad); ++i) {
        spectrum.inv_freq_rad[i * axes + axis_of_pair[i]] = omega_rad[i];
    }
    return spectrum;
}

Spectrum bands_in_order(Index axes, std::span<const AxisBand> bands) {
    std::vector<double> omega_rad;
    std::vector<Index> axis_of_pair;
    for (const AxisBand& band : bands) {
        omega_rad.insert(omega_rad.end(), band.omega_rad.begin(), band.omega_rad.end());
        axis_of_pair.insert(axis_of_pair.end(), band.omega_rad.size(), band.axis);
    }
    return by_axis_of_pair(axes, omega_rad, axis_of_pair);
}

Spectrum bands_in_turn(Index axes, std::span<const AxisBand> bands) {
    std::vector<double> omega_rad;
    std::vector<Index> axis_of_pair;
    for (std::size_t j = 0; j < bands.front().omega_rad.size(); ++j) {
        for (const AxisBand& band : bands) {
            omega_rad.push_back(band.omega_rad[j]);
            axis_of_pair.push_back(band.axis);
        }
    }
    return by_axis_of_pair(axes, omega_rad, axis_of_pair);
}

std::vector<double> inverse_powers(Index dim, double base, const char* what) {
    if (dim < 2 || dim % 2 != 0) {
        throw InputError(fmt::format("{}: {} channels; give an even number from 2 on", what, dim));
    }
    if (!std::isfinite(base) || base <= 0.0) {
        throw InputError(fmt::format("{}: base {}; give a finite number above 0", what, base));
    }
    return default_inv_freq(dim, base);
}

std::vector<double> linear_steps(double first, double last, Index count) {
    std::vector<double> numbers;
    for (Index i = 0; i < count; ++i) {
        const double part = count > 1 ? to_double(i) / to_double(count - 1) : 0.0;
        numbers.push_back(first + part * (last - first));
    }
    return numbers;
}

std::vector<double> scaled(std::vector<double> numbers, double factor) {
    for (double& number : numbers) {
        number *= factor;
    }
    return numbers;
}

Index shared_width(Index heads, Index head_dim, Index least) {
    const Index width = heads > kMaxSharedWidth ? heads  // the product might overflow
                                                : head_dim * heads;
    if (heads < 1 || width < least || width > kMaxSharedWidth) {
        throw InputError(fmt::format(
            "num_attention_heads: {} heads of {} channels, which turn as one; give {} to "
            "{} channels in all",
            heads, head_dim, least, kMaxSharedWidth));
    }
    return width;
}

void require_head_dim(Index head_dim, Index multiple, const char* scheme) {
    if (head_dim < multiple || head_dim > kMaxHeadDim || head_dim % multiple != 0) {
        throw InputError(fmt::format("head_dim: {} does not fit {}; give a multiple of {} up to {}",
                                     head_dim, scheme, multiple, kMaxHeadDim));
    }
}

}  // namespace ropescope
