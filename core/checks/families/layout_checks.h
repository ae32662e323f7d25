// Checks of the channel layouts. They take the function under test, so that tests can pass wrong
// ones.
#pragma once

#include <functional>

#include "core/checks/check.h"

namespace ropescope {

using Permutation =
    std::function<std::vector<Index>(Layout from, Layout to, Index head_dim, Index rotary_dim)>;
CheckFinding permutation_is_bijection(const Permutation& permutation, const Cases& cases = {});

using PermuteProjection =
    std::function<std::vector<float>(std::span<const float> weight, Index heads, Index head_dim,
                                     Index rotary_dim, Index columns, Layout from, Layout to)>;
/// Scores of grouped queries from permuted W_q and W_k in one layout equal those of the other.
CheckFinding projections_permute(const CheckContext& context, const PermuteProjection& permute);

}  // namespace ropescope
