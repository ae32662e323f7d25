// Layer normalisation and sum of single rows.
#pragma once

#include <cstdint>

namespace ropescope {

/// y = (x - mean) / sqrt(variance + eps) * weight + bias, the variance without Bessel's correction
/// (Ba, Kiros and Hinton, arXiv:1607.06450; torch.nn.LayerNorm). y may be x. Mean and variance are
/// summed in double; so an eps below the smallest fp32 number still counts.
void layer_norm_row(const float* x, const float* weight, const float* bias, double eps,
                    std::int64_t count, float* y);

/// y = a + b; y may be a or b.
void add_rows(const float* a, const float* b, std::int64_t count, float* y);

}  // namespace ropescope
