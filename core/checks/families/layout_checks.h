// Layout checks whose subject is a function of its own, so that tests can hand in wrong ones.
#pragma once

#include <functional>

#include "core/checks/check.h"

namespace ropescope {

using Permutation =
    std::function<std::vector<int>(Layout from, Layout to, int head_dim, int rotary_dim)>;
Finding permutation_is_bijection(const Permutation& permutation);

using PermuteProjection =
    std::function<std::vector<float>(std::span<const float> weight, int heads, int head_dim,
                                     int rotary_dim, int columns, Layout from, Layout to)>;
/// Grouped queries: scores from permuted W_q, W_k in one layout equal those of the other layout.
Finding projections_permute(const CheckContext& context, const PermuteProjection& permute);

}  // namespace ropescope
