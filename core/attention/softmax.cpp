// Computes the exponentials of a row of scores with vector instructions.
#include "core/attention/softmax.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/base/multiversion.h"
#include "core/kernels/vector_math.h"

namespace ropescope {
namespace {

/// Partial results, so that the operations need not wait for each other.
constexpr Index kLanes = 64;

ROPESCOPE_MULTIVERSION
float largest_of(const float* x, Index count) {
    std::array<float, kLanes> lanes;
    lanes.fill(-std::numeric_limits<float>::infinity());
    const Index whole = count / kLanes * kLanes;
    for (Index i = 0; i < whole; i += kLanes) {
        for (Index j = 0; j < kLanes; ++j) {
            float& lane = lanes[j];
            lane = x[i + j] > lane ? x[i + j] : lane;
        }
    }
    for (Index i = whole; i < count; ++i) {
        lanes[0] = std::max(lanes[0], x[i]);
    }
    return *std::ranges::max_element(lanes);
}

ROPESCOPE_MULTIVERSION
float exponentials(float* x, float shift, Index count) {
    std::array<float, kLanes> lanes{};
    const Index whole = count / kLanes * kLanes;
    for (Index i = 0; i < whole; i += kLanes) {
        for (Index j = 0; j < kLanes; ++j) {
            x[i + j] = exp_f32(x[i + j] - shift);
            lanes[j] += x[i + j];
        }
    }
    for (Index i = whole; i < count; ++i) {
        x[i] = exp_f32(x[i] - shift);
        lanes[0] += x[i];
    }
    float sum = 0.0F;
    for (const float lane : lanes) {
        sum += lane;
    }
    return sum;
}

ROPESCOPE_MULTIVERSION
void add(float* x, const float* added, Index count) {
    for (Index i = 0; i < count; ++i) {
        x[i] += added[i];
    }
}

}  // namespace

float log_sum(float largest, float sum) {
    return largest + std::log(sum);
}

Exponentials exponentials_row(float* x, const float* added, Index count, float largest_before) {
    if (added != nullptr) {
        add(x, added, count);
    }
    const float shift = std::max(largest_before, largest_of(x, count));
    return {shift, exponentials(x, shift, count)};
}

ROPESCOPE_MULTIVERSION
void scale_row(float* x, float factor, Index count) {
    for (Index i = 0; i < count; ++i) {
        x[i] *= factor;
    }
}

}  // namespace ropescope
