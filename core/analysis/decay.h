// Long-term decay: how scores may fall with the distance, and where they do not.
// RoFormer, section 3.4.3: q_m . k_n = Re sum_i h_i e^{i delta theta_i} with h_i = q_i conj(k_i) of
// pair i. With S_j = sum_{i<j} e^{i delta theta_i}, Abel's summation gives
//   |q_m . k_n| <= (max_i |h_{i+1} - h_i|) sum_{j=1}^{P} |S_j|,  h_P = 0   (eq. 36 and 37),
// and the paper draws (1/P) sum_j |S_j|, P = rotary_dim / 2 pairs (figure 2). That is a bound on
// scores and not a score. The attention factor is left out: it scales all of this alike.
#pragma once

#include <span>
#include <vector>

#include "core/base/index.h"
#include "core/rope/spectrum.h"

namespace ropescope {

// Scores as functions of the distance: weighted sums over the pairs, at many distances at once.

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

struct DecayPoint {
    double upper_bound = 0;  ///< (1/P) sum_j |S_j|; (P + 1) / 2 at distance 0
    double cosine_sum = 0;   ///< sum_i cos(delta theta_i) = Re S_P: the score (before 1/sqrt(d)) if
                             ///< q = k and each of its pairs is a unit vector; P at distance 0
};
DecayPoint decay_at(const Spectrum& spectrum, Index distance);

/// Both numbers of DecayPoint along a list of distances, [distances] each.
struct DecayCurves {
    std::vector<double> upper_bound, cosine_sum;
};
/// Converts pair curves of weights 1 into decay curves.
DecayCurves decay_of(PairCurves curves, Index pairs);
/// Computes each distance by itself. Values are within decay_error() of the exact ones for the
/// spectrum's inv_freq.
DecayCurves decay_curves(const Spectrum& spectrum, std::span<const Index> distances);
/// Computes the distances first, first + 1, ..., first + count - 1 within the same error, much
/// faster, by angle addition.
DecayCurves decay_run(const Spectrum& spectrum, Index first, Index count);

/// Where a curve over successive distances rises, although it is said to decay. A difference of at
/// most `tolerance` does not count as a rise.
struct Rises {
    Index steps = 0;            ///< number of differences between neighbours
    Index rising = 0;           ///< number of differences that are rises
    Index first = -1;           ///< index of the first value that its successor exceeds; -1 if none
    double highest_regain = 0;  ///< largest excess of a value over an earlier one
    Index regained_at = 0;      ///< index of the later value
    double lowest = 0;          ///< smallest value, up to the tolerance
    Index lowest_at = 0;        ///< its index; the first if several are alike

    /// Whether the curve neither rises nor falls.
    bool constant() const { return rising == 0 && lowest_at == 0; }

    double share() const;  ///< rising / steps, 0 .. 1
};
Rises find_rises(std::span<const double> curve, double tolerance);

/// Bound on the error of a value of either curve: pair_curves_error() of weights 1; for the upper
/// bound the P-th part of it and one more rounding of a value of at most P.
double decay_error(const Spectrum& spectrum);
/// Two values of a curve that differ by at most this may be equal: twice decay_error().
double decay_tolerance(const Spectrum& spectrum);

/// Returns the index of the first negative value, -1 if there is none.
Index first_below_zero(std::span<const double> curve);

}  // namespace ropescope
