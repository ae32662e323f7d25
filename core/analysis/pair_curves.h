// A score's dependence on the distance: sums over the pairs, at many distances at once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/rope/spectrum.h"

namespace ropescope {

/// a and b of every pair, [pairs] each: with a = q . k and b = q . J k of the pair the two sums are
/// the halves of its score, even and odd in the distance; with ones they are those of the decay.
struct PairWeights {
    std::span<const double> cos, sin;
};

/// z_j = sum_{i<j} (a_i cos(delta theta_i), b_i sin(delta theta_i)), j = 1 .. P; [distances] each.
struct PairCurves {
    std::vector<double> even;    ///< first component of z_P
    std::vector<double> odd;     ///< its second
    std::vector<double> moduli;  ///< sum_j |z_j|
};

/// Without the attention factor. |distance| <= 2^53.
PairCurves pair_curves(const Spectrum& spectrum, std::span<const std::int64_t> distances,
                       const PairWeights& weights);
/// Of every whole distance first .. first + count - 1, by angle addition, much faster.
PairCurves pair_curves_run(const Spectrum& spectrum, std::int64_t first, std::int64_t count,
                           const PairWeights& weights);

/// How far the curves may be off, for the spectrum's inv_freq. cos and sin are within 26 units of
/// 2^-53 (core/analysis/turns.h), the product with the weight one more; P rounded sums of at most
/// W = sum max(|a_i|, |b_i|) make a component of z_j at most (27 + P) W units off, |z_j| sqrt(2)
/// times that and 8 units of itself for the squares, their sum and a square root within 4 units,
/// and the P sums of |z_j| <= sqrt(2) W another P units each.
struct PairCurvesError {
    double component = 0;  ///< of even and odd
    double moduli = 0;
};
PairCurvesError pair_curves_error(const PairWeights& weights);

}  // namespace ropescope
