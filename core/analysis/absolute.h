// Absolute encodings, which RoPE replaced: the sinusoidal table, the linear map that shifts it, and
// the four terms that a score of added positions falls into.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/rope/spectrum.h"

namespace ropescope {

/// p_m [2 pairs]: p[2i] = sin(m theta_i), p[2i+1] = cos(m theta_i) (Vaswani et al. 2017, section
/// 3.5). Every entry within 10 units of 2^-53; |p_m|^2 is the number of pairs.
std::vector<double> sinusoidal_row(const Spectrum& spectrum, std::int64_t position);

/// M_s, row-major [2 pairs, 2 pairs], with p_{m+s} = M_s p_m for every m: a rotation of each pair,
/// [[cos s theta, sin s theta], [-sin s theta, cos s theta]].
std::vector<double> shift_map(const Spectrum& spectrum, std::int64_t shift);
/// M_s p, without writing the map down.
std::vector<double> shifted(const Spectrum& spectrum, std::int64_t shift,
                            std::span<const double> row);

/// A fixed random orthogonal matrix that costs `size` operations to apply: a permutation of the
/// channels with random signs, then a reflection. Stands for a learned W_q or W_k.
class Projection {
  public:
    Projection(std::size_t size, std::uint64_t seed);
    std::vector<double> apply(std::span<const double> x) const;

  private:
    std::vector<std::size_t> source_;
    std::vector<double> sign_;
    std::vector<double> mirror_;  ///< unit vector
};

/// (W_q (x + p_m))^T W_k (y + p_n) / sqrt(d), multiplied out.
struct AdditiveTerms {
    double content_content = 0;    ///< x, y: the same everywhere
    double content_position = 0;   ///< x, p_n
    double position_content = 0;   ///< p_m, y
    double position_position = 0;  ///< p_m, p_n

    double sum() const {
        return content_content + content_position + position_content + position_position;
    }
};
/// From the projected vectors: W_q x, W_q p_m, W_k y, W_k p_n.
AdditiveTerms additive_terms(std::span<const double> projected_x,
                             std::span<const double> projected_p_m,
                             std::span<const double> projected_y,
                             std::span<const double> projected_p_n);

}  // namespace ropescope
