// Cases of kernels that normalise and rotate in one step: a norm with weights beside the rotation.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/rope/qk_norm.h"
#include "core/schemes/part.h"
#include "core/vectors/rotation_case.h"

namespace ropescope::vectors {

/// What a fused kernel makes of x [batch, heads, length, head_dim].
struct FusedStep {
    /// Empty: none.
    std::optional<QkNorm> norm = {};
    std::vector<double> weight = {};  ///< [head_dim]; empty: ones
    bool over_all_heads = false;      ///< one norm for all heads of a token
    bool sixteen_bits = false;        ///< the norm is computed in bfloat16
};

/// In float64. Without a norm the rotation alone.
std::vector<double> fused(const FusedStep& step, const faults::RotationPlan& plan,
                          std::span<const double> x);
/// x behind a norm that stands before the rotation.
std::vector<double> normalised(const FusedStep& step, const faults::HeadShape& shape,
                               std::span<const double> x);

/// By what share of a length the norm adds to the rounding of a rotation in that dtype: that of its
/// sum, and in 16 bits one more, where the normalised numbers are rounded before they turn.
double norm_share(Dtype result, Index head_dim);

/// One side, "q" or "k", of a part in one axis, with weights of its own: two rows of two heads at
/// near and far positions, one head in each with numbers so small that eps counts. Its wrong
/// answers are those of a wrong norm, and of the rotation one of a kind.
RotationCase fused_case(const std::string& id, const Part& part, const QkNorm& norm,
                        const std::string& side);

}  // namespace ropescope::vectors
