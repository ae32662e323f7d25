// Scores as functions of the distance: weighted sums over the pairs, at many distances at once.
#pragma once

#include <span>
#include <vector>

#include "core/base/index.h"
#include "core/rope/spectrum.h"

namespace ropescope {

/// The weights a_i and b_i, [pairs] each. With a = q . k and b = q . J k of each pair (PairTerm)
/// the two sums are the halves of the score that are even and odd in the distance; with ones they
/// are the sums of the decay (decay.h).
struct PairWeights {
    std::span<const double> cos, sin;
};

/// With the points z_j = sum_{i<j} (a_i cos(delta theta_i), b_i sin(delta theta_i)), j = 1 .. P, of
/// each distance delta; [distances] each.
struct PairCurves {
    std::vector<double> even;    ///< first component of z_P
    std::vector<double> odd;     ///< second component of z_P
    std::vector<double> moduli;  ///< sum_j |z_j|
};

/// Computes each distance by itself, without the attention factor; |distance| <= 2^53 positions.
PairCurves pair_curves(const Spectrum& spectrum, std::span<const Index> distances,
                       const PairWeights& weights);
/// Computes the distances first, first + 1, ..., first + count - 1 by angle addition, much faster.
PairCurves pair_curves_run(const Spectrum& spectrum, Index first, Index count,
                           const PairWeights& weights);

/// Bounds on the errors of the curves for the spectrum's inv_freq. cos and sin are within 26 units
/// of 2^-53 (core/analysis/turns.h), the product with the weight one more; P rounded sums of at
/// most W = sum max(|a_i|, |b_i|) make a component of z_j at most (27 + P) W units off, |z_j|
/// sqrt(2) times that and 8 units of itself for the squares, their sum and a square root within 4
/// units, and the P sums of |z_j| <= sqrt(2) W another P units each.
struct PairCurvesError {
    double component = 0;  ///< of a value of even or odd
    double moduli = 0;     ///< of a value of moduli
};
PairCurvesError pair_curves_error(const PairWeights& weights);

}  // namespace ropescope
