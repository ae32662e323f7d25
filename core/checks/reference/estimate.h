// Numbers in double, each with a bound on how far fp32 arithmetic may be from it: the reference for
// the encoder and its operations.
//
// Each rounding to fp32 is taken as an independent error with mean 0 and at most u = 2^-24
// relative; `variance` is the variance of their sum, carried through every operation to first
// order (N. J. Higham and T. Mary, "A new approach to probabilistic rounding error analysis", SIAM
// J. Sci. Comput. 41, 2019). A sum of n products then errs by sqrt(n) u sum |ab| instead of n u sum
// |ab|, and the chance that any one error exceeds kDeviations times its standard deviation is below
// 2 exp(-kDeviations^2 / 2).
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/kernels/activation.h"

namespace ropescope {

/// 2 exp(-50) = 4e-22: never seen among the 1e6 numbers of a check.
inline constexpr double kDeviations = 10.0;

struct Estimates {
    std::vector<std::int64_t> shape;
    std::vector<double> value;
    std::vector<double> variance;

    std::int64_t columns() const { return shape.back(); }
    std::int64_t rows() const { return static_cast<std::int64_t>(value.size()) / columns(); }
    /// The largest |fp32 - value| allowed at index i.
    double bound(std::size_t i) const { return kDeviations * std::sqrt(variance[i]); }
};

/// Zeros of this shape, without error.
Estimates zero_estimates(std::vector<std::int64_t> shape);
/// Estimates without error, from numbers that fp32 holds exactly.
Estimates exactly(std::vector<std::int64_t> shape, std::span<const double> values);

/// x W^T + b, weight [out, in] row-major, bias [out] or empty.
Estimates linear_f64(const Estimates& x, std::span<const double> weight,
                     std::span<const double> bias, Activation activation);
/// Rows normalised; weight and bias [columns].
Estimates layer_norm_f64(const Estimates& x, std::span<const double> weight,
                         std::span<const double> bias, double eps);
Estimates add_f64(const Estimates& a, const Estimates& b);

/// Attention of q, k, v [batch, positions, heads, head_dim].
struct AttentionEstimates {
    Estimates scores;    ///< [batch, heads, positions, positions], before the mask
    Estimates probs;     ///< the same shape, after mask and softmax
    Estimates log_sums;  ///< [batch, heads, positions], ln of the sum of e^(score + mask)
    Estimates context;   ///< shaped like q
};
/// keep: [batch, queries, keys] where queries is 1 or the number of positions; empty keeps all
/// keys. bias: added to the scores before the softmax, [heads, queries, keys], or empty. A query
/// whose keys are all masked gets equal probabilities, and the mask itself, -FLT_MAX, as the
/// logarithm of its sum.
AttentionEstimates attention_f64(const Estimates& q, const Estimates& k, const Estimates& v,
                                 const std::vector<bool>& keep, std::int64_t mask_queries,
                                 std::span<const double> bias = {});

}  // namespace ropescope
