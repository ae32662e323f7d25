// Scaled dot-product attention on the device.
#pragma once

#include "core/engine/tensor_ops.h"
#include "core/gpu/device.h"

namespace ropescope::gpu {

/// As AttentionInputs and AttentionOutputs of core/engine/tensor_ops.h; a missing matrix has no
/// rows.
struct AttentionMatrices {
    AttentionShape shape;
    Matrix q, k, v, mask;
    double scale = 1.0;
    Matrix context, scores, probs, log_sums;
};

/// On hardware one pass, which stores scores only if they are wanted. In software (is_software())
/// one pass after the other: scores, statistics, probabilities, context.
void attention(Device& device, const AttentionMatrices& matrices);

}  // namespace ropescope::gpu
