// Scaled dot-product attention on the device.
#pragma once

#include "core/engine/tensor_ops.h"
#include "core/gpu/device.h"

namespace ropescope::gpu {

/// As AttentionInputs and AttentionOutputs of core/engine/tensor_ops.h; what is not there has no
/// rows.
struct AttentionMatrices {
    AttentionShape shape;
    Matrix q, k, v, mask;
    double scale = 1.0;
    Matrix context, scores, probs, log_sums;
};

/// On hardware in one pass that keeps no scores that nobody wants; where a processor imitates a
/// GPU, in one after the other.
void attention(Device& device, const AttentionMatrices& matrices);

}  // namespace ropescope::gpu
