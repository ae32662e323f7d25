// Softmax of one row of scores.
#pragma once

#include <cstdint>

namespace ropescope {

/// A row of e^(x - largest), not yet divided by its sum.
struct Exponentials {
    float largest = 0.0F;
    float sum = 0.0F;

    /// ln of the sum of e^x: e^(x - that) is the probability.
    float log_sum() const;
};

/// x = e^(x + added - their largest) in place, `added` the row of the mask or nullptr. Each number
/// is within 2^-22 of the exact value at the rounded sum, relative, or below 1e-37; the sum within
/// (count / 64 + 64) 2^-24. A row whose every value was shifted to -FLT_MAX comes out uniform, as
/// in the seeds.
Exponentials exponentials_row(float* x, const float* added, std::int64_t count);

/// x *= factor
void scale_row(float* x, float factor, std::int64_t count);

}  // namespace ropescope
