// Long-term decay: how a score may fall with the distance, and where it does not.
// RoFormer, section 3.4.3: q_m . k_n = Re sum_i h_i e^{i delta theta_i} with h_i = q_i conj(k_i) of
// pair i. With S_j = sum_{i<j} e^{i delta theta_i}, Abel's summation gives
//   |q_m . k_n| <= (max_i |h_{i+1} - h_i|) sum_{j=1}^{P} |S_j|,  h_P = 0   (eq. 36 and 37),
// and the paper draws (1/P) sum_j |S_j|, P = rotary_dim / 2 pairs (figure 2): a bound on scores,
// not a score. All without the attention factor, which scales everything alike.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/pair_curves.h"
#include "core/rope/spectrum.h"

namespace ropescope {

struct DecayPoint {
    double upper_bound = 0;  ///< (1/P) sum_j |S_j|; (P + 1) / 2 at distance 0
    double cosine_sum = 0;   ///< sum_i cos(delta theta_i) = Re S_P: q . k where every pair of q and
                             ///< k is one unit vector; P at distance 0
};
DecayPoint decay_at(const Spectrum& spectrum, std::int64_t distance);

/// [distances] each.
struct DecayCurves {
    std::vector<double> upper_bound, cosine_sum;
};
/// From the sums of pairs that are one unit vector, weights 1.
DecayCurves decay_of(PairCurves curves, int pairs);
/// Within decay_error() of the exact values for the spectrum's inv_freq.
DecayCurves decay_curves(const Spectrum& spectrum, std::span<const std::int64_t> distances);
/// Of every whole distance first .. first + count - 1, much faster.
DecayCurves decay_run(const Spectrum& spectrum, std::int64_t first, std::int64_t count);

/// Where a curve over successive distances rises although it is said to decay. A difference below
/// `tolerance` is no rise.
struct Rises {
    std::int64_t steps = 0;        ///< between neighbours
    std::int64_t rising = 0;       ///< those that go up
    std::int64_t first = -1;       ///< index of the first value that the next exceeds; -1: none
    double highest_regain = 0;     ///< most that a value stands above an earlier one
    std::int64_t regained_at = 0;  ///< its index
    double lowest = 0;             ///< the least value, up to the tolerance
    std::int64_t lowest_at = 0;    ///< its index, the first where several are alike

    /// It neither rises nor falls.
    bool constant() const { return rising == 0 && lowest_at == 0; }

    double share() const;  ///< of rising steps, 0 .. 1
};
Rises find_rises(std::span<const double> curve, double tolerance);

/// How far a value of either curve may be off: pair_curves_error() of weights 1, for the bound its
/// P-th part and one rounding more of a value of at most P.
double decay_error(const Spectrum& spectrum);
/// Two values of a curve that differ by less may be equal: each may be off by decay_error().
double decay_tolerance(const Spectrum& spectrum);

/// Index of the first negative value, -1 when there is none.
std::int64_t first_below_zero(std::span<const double> curve);

}  // namespace ropescope
