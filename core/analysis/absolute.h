// Absolute position encodings, which RoPE replaced: the sinusoidal vectors, the linear map that
// shifts them, and the four terms of a score when positions are added to the content.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/index.h"
#include "core/rope/spectrum.h"

namespace ropescope {

/// Returns the sinusoidal vector p_m, [2 pairs]: p[2i] = sin(m theta_i), p[2i+1] = cos(m theta_i)
/// (Vaswani et al., arXiv:1706.03762, section 3.5). Every entry is within 10 units of 2^-53 of the
/// exact value; |p_m|^2 is the number of pairs.
std::vector<double> sinusoidal_row(const Spectrum& spectrum, Index position);

/// Returns the map M_s, [2 pairs, 2 pairs] row-major, with p_{m+s} = M_s p_m for every m. It
/// rotates each pair: [[cos s theta, sin s theta], [-sin s theta, cos s theta]].
std::vector<double> shift_map(const Spectrum& spectrum, Index shift);
/// Returns M_s p without building the matrix.
std::vector<double> shifted(const Spectrum& spectrum, Index shift, std::span<const double> row);

/// A random orthogonal matrix [size, size], the same for the same seed, that takes only `size`
/// operations to apply: it permutes the channels with random signs and then reflects. It stands for
/// a learned W_q or W_k.
class Projection {
  public:
    Projection(Index size, std::uint64_t seed);
    std::vector<double> apply(std::span<const double> x) const;

  private:
    std::vector<Index> source_;
    std::vector<double> sign_;
    std::vector<double> mirror_;  ///< unit vector
};

/// The four terms of the score (W_q (x + p_m))^T W_k (y + p_n) / sqrt(d), multiplied out.
struct AdditiveTerms {
    double content_content = 0;    ///< x with y: the same at all positions
    double content_position = 0;   ///< x with p_n
    double position_content = 0;   ///< p_m with y
    double position_position = 0;  ///< p_m with p_n

    double sum() const {
        return content_content + content_position + position_content + position_position;
    }
};
/// Computes the terms from the projected vectors W_q x, W_q p_m, W_k y and W_k p_n, [d] each.
AdditiveTerms additive_terms(std::span<const double> projected_x,
                             std::span<const double> projected_p_m,
                             std::span<const double> projected_y,
                             std::span<const double> projected_p_n);

}  // namespace ropescope
