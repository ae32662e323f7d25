// The softmax of one row of scores, in two steps: exponentials, then a scaling.
#pragma once

#include <limits>

#include "core/base/index.h"

namespace ropescope {

/// What exponentials_row() found: the row now holds e^(x - largest), not yet divided by `sum`.
struct Exponentials {
    float largest = 0.0F;
    float sum = 0.0F;
};

/// Replaces x, [count], by e^(x + added - largest); `added` is the row of the mask or nullptr, and
/// `largest` the largest of these sums and of `largest_before`. Each number has a relative error of
/// at most 2^-22, given the rounded x + added, or is below 1e-37; the sum has one of at most (count
/// / 64 + 64) 2^-24. If the mask hides the whole row the result is uniform, as in both RoFormers.
Exponentials exponentials_row(float* x, const float* added, Index count,
                              float largest_before = -std::numeric_limits<float>::infinity());

/// ln of the sum of all e^x, given `sum`, that of e^(x - largest). e^(x - log_sum) is the
/// probability of x.
float log_sum(float largest, float sum);

/// Multiplies x, [count], by `factor`.
void scale_row(float* x, float factor, Index count);

}  // namespace ropescope
