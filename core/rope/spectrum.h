// The angular speed of every pair, and angles reduced to one turn.
#pragma once

#include <span>
#include <vector>

#include "core/base/index.h"
#include "core/rope/rope_spec.h"

namespace ropescope {

/// The frequencies of a RopeSpec, called theta_i in the paper and inv_freq in programs; in several
/// axes the frequencies omega of a RotaryScheme (core/schemes). Pair i of a token turns by
///   angle(i, token) = sum over axes a of inv_freq_rad[i, a] * position[a, token].
struct Spectrum {
    /// [pairs, axes] row-major, radians per position: in one axis base^(-2i / rotary_dim), i = 0 ..
    /// pairs - 1 (RoFormer, section 3.2.2, with i from 0), as the scaling changes it. 0 for a pair
    /// that does not turn by that axis.
    std::vector<double> inv_freq_rad;
    /// Multiplies cos and sin of the table, hence every score by its square (YaRN, LongRoPE).
    double attention_factor = 1.0;
    /// Multiplies the softmax scale 1 / sqrt(head_dim); the table does not contain it (DeepSeek's
    /// mscale^2).
    double softmax_scale_factor = 1.0;
    Index axes = 1;  ///< numbers in the position of a token

    Index pairs() const { return std::ssize(inv_freq_rad) / axes; }
    /// The frequencies of one pair, [axes].
    std::span<const double> omega_rad(Index pair) const {
        return std::span(inv_freq_rad).subspan(pair * axes, axes);
    }
    /// Positions that a pair takes along one axis for one full turn, 2 pi / inv_freq; infinite if
    /// inv_freq is 0.
    double wavelength_positions(Index pair, Index axis = 0) const;
};

/// Throws InputError if the spectrum has several axes: called by what takes one position a token.
void require_one_axis(const Spectrum& spectrum);

/// Returns the spectrum of a spec. Without scaling inv_freq is computed in long double and rounded
/// once, so its relative error is below 1.02 units of 2^-53; a scaling method adds a few units of
/// its own. Throws InputError as validate(spec) does.
Spectrum make_spectrum(const RopeSpec& spec);

/// Returns position * inv_freq_rad reduced to [-pi, pi], in radians and in double, within 8 units
/// of 2^-53 of the exact product of the two. The rounding of inv_freq itself adds |position|
/// inv_freq 2^-53: 1.2e-10 rad at position 2^20 and inv_freq 1.
double reduced_angle_rad(Index position, double inv_freq_rad);

/// Returns the sum of position[a] * omega_rad[a] over the axes a, reduced to [-pi, pi]. Positions
/// are real numbers of any sign. Each product is reduced exactly as above, so that a large angle in
/// one axis costs the others nothing: within 15 units of 2^-53 for each axis that turns the pair.
/// If one axis alone does, the result is that of its product, to the bit.
double reduced_angle_sum_rad(std::span<const double> position, std::span<const double> omega_rad);

}  // namespace ropescope
