// Layer normalisation and sums in vector loops.
#include "core/kernels/layer_norm.h"

#include <array>
#include <cmath>
#include <numeric>

#include "core/base/index.h"
#include "core/base/multiversion.h"

namespace ropescope {
namespace {

/// Partial sums, so that additions do not wait for each other.
constexpr std::int64_t kLanes = 16;
using Lanes = std::array<double, kLanes>;

double total(const Lanes& lanes) {
    return std::accumulate(lanes.begin(), lanes.end(), 0.0);
}

ROPESCOPE_MULTIVERSION
double sum_of(const float* x, std::int64_t count) {
    Lanes lanes{};
    const std::int64_t whole = count / kLanes * kLanes;
    for (std::int64_t i = 0; i < whole; i += kLanes) {
        for (std::int64_t j = 0; j < kLanes; ++j) {
            lanes[j] += double{x[i + j]};
        }
    }
    for (std::int64_t i = whole; i < count; ++i) {
        lanes[0] += double{x[i]};
    }
    return total(lanes);
}

ROPESCOPE_MULTIVERSION
double sum_of_squares(const float* x, double mean, std::int64_t count) {
    Lanes lanes{};
    const std::int64_t whole = count / kLanes * kLanes;
    for (std::int64_t i = 0; i < whole; i += kLanes) {
        for (std::int64_t j = 0; j < kLanes; ++j) {
            const double off = double{x[i + j]} - mean;
            lanes[j] += off * off;
        }
    }
    for (std::int64_t i = whole; i < count; ++i) {
        const double off = double{x[i]} - mean;
        lanes[0] += off * off;
    }
    return total(lanes);
}

ROPESCOPE_MULTIVERSION
void scale_and_shift(const float* x, float mean, float scale, const float* weight,
                     const float* bias, std::int64_t count, float* y) {
    for (std::int64_t i = 0; i < count; ++i) {
        y[i] = (x[i] - mean) * scale * weight[i] + bias[i];
    }
}

}  // namespace

void layer_norm_row(const float* x, const float* weight, const float* bias, double eps,
                    std::int64_t count, float* y) {
    const double mean = sum_of(x, count) / to_double(count);
    const double variance = sum_of_squares(x, mean, count) / to_double(count);
    scale_and_shift(x, static_cast<float>(mean),
                    static_cast<float>(1.0 / std::sqrt(variance + eps)), weight, bias, count, y);
}

ROPESCOPE_MULTIVERSION
void add_rows(const float* a, const float* b, std::int64_t count, float* y) {
    for (std::int64_t i = 0; i < count; ++i) {
        y[i] = a[i] + b[i];
    }
}

}  // namespace ropescope
