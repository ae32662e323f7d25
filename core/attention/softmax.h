// Softmax of one row of scores.
#pragma once

#include <cstdint>

namespace ropescope {

/// x = softmax(x + added) in place, `added` the row of the mask or nullptr; returns the logarithm
/// of the sum of e^x, so that e^(x - that) is the probability. Each probability is within
/// (count / 16 + 16) 2^-23 of the exact value at the rounded sums, relative, or below 1e-37. A row
/// whose every value was shifted to -FLT_MAX comes out uniform, as in the seeds.
float softmax_row(float* x, const float* added, std::int64_t count);

}  // namespace ropescope
