// The angular speed of every pair.
#pragma once

#include <cstdint>
#include <vector>

#include "core/rope/rope_spec.h"

namespace ropescope {

/// inv_freq_rad[i] = base^(-2i / rotary_dim), i = 0 .. pairs-1 (RoFormer, section 3.2.2, with i
/// from 0), in radians per position, as the scaling of the spec changes it.
struct Spectrum {
    std::vector<double> inv_freq_rad;
    double attention_factor =
        1.0;  ///< multiplies cos and sin of the table (YaRN and LongRoPE use it)
    /// Multiplies the softmax scale 1 / sqrt(head_dim), apart from the table (DeepSeek's mscale^2).
    double softmax_scale_factor = 1.0;

    int pairs() const { return static_cast<int>(inv_freq_rad.size()); }
    /// Positions of one full turn of pair i: 2 pi / inv_freq; infinite where inv_freq is 0.
    double wavelength_positions(int pair) const;
};

/// Validates and computes. Without scaling: in long double, rounded once, so that the relative
/// error of inv_freq is below 1.02 units of 2^-53; a scaling method adds a few units of its own.
Spectrum make_spectrum(const RopeSpec& spec);

/// position * inv_freq_rad reduced to [-pi, pi] in double, within 8 units of 2^-53 of the exact
/// product of the two. What the rounding of inv_freq adds is |position| inv_freq 2^-53: at position
/// 2^20 and inv_freq 1 it is 1.2e-10 rad.
double reduced_angle_rad(std::int64_t position, double inv_freq_rad);

}  // namespace ropescope
