// Numbers in double together with how far fp32 arithmetic may be from them: the reference that the
// encoder and its operations are held to.
//
// Each rounding to fp32 is taken as an independent error with mean 0 and at most u = 2^-24
// relative; `variance` is what such errors add up to, carried through every operation to first
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
    /// What |fp32 - value| may be at index i.
    double bound(std::size_t i) const { return kDeviations * std::sqrt(variance[i]); }
};

/// Zeros of that shape.
Estimates zero_estimates(std::vector<std::int64_t> shape);
/// Numbers that fp32 holds exactly.
Estimates exactly(std::vector<std::int64_t> shape, std::span<const double> values);

/// x W^T + b, weight [out, in] row-major, bias [out] or empty.
Estimates linear_f64(const Estimates& x, std::span<const double> weight,
                     std::span<const double> bias, Activation activation);
/// Rows normalised; weight and bias [columns].
Estimates layer_norm_f64(const Estimates& x, std::span<const double> weight,
                         std::span<const double> bias, double eps);
Estimates add_f64(const Estimates& a, const Estimates& b);

/// Of q, k, v [batch, positions, heads, head_dim].
struct AttentionEstimates {
    Estimates scores;   ///< [batch, heads, positions, positions], before the mask
    Estimates probs;    ///< the same, after
    Estimates context;  ///< like q
};
/// keep [batch, queries, keys] with queries 1 or positions, empty: all are kept. A query without
/// keys gets equal probabilities.
AttentionEstimates attention_f64(const Estimates& q, const Estimates& k, const Estimates& v,
                                 const std::vector<bool>& keep, std::int64_t mask_queries);

}  // namespace ropescope
