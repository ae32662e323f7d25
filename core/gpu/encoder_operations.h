// The encoder's operations on the device: matrix products, attention, and what works row by row.
#pragma once

#include "core/engine/tensor_ops.h"
#include "core/gpu/device.h"
#include "core/kernels/activation.h"

namespace ropescope::gpu {

/// weight [out, in]; bias [1, out], or no rows if there is none.
struct LinearLayer {
    Matrix weight;
    Matrix bias;
};

/// out = activation(x W^T + b). Each product is within (in + 2) 2^-24 sum |x| |w| of the exact one.
void gemm(Device& device, const Matrix& x, const LinearLayer& linear, Activation activation,
          const Matrix& out);

/// weight, bias [1, columns]
struct NormLayer {
    Matrix weight;
    Matrix bias;
    double eps = 0.0;
};

/// out = layer norm of each row of x; out may be x.
void layer_norm(Device& device, const Matrix& x, const NormLayer& norm, const Matrix& out);

/// out = a + b; out may be a or b.
void add(Device& device, const Matrix& a, const Matrix& b, const Matrix& out);

/// out[i] = table[ids[i]]; ids are uint32.
void gather(Device& device, const Matrix& table, const BufferRange& ids, const Matrix& out);

/// As AttentionInputs and AttentionOutputs of core/engine/tensor_ops.h; a missing matrix has no
/// rows.
struct AttentionMatrices {
    AttentionShape shape;
    Matrix q, k, v, added;
    AddedSteps added_steps;
    double scale = 1.0;
    Matrix context, scores, probs, log_sums;
};

/// On hardware one pass, which stores scores only if they are wanted. In software (is_software())
/// one pass after the other: scores, statistics, probabilities, context.
void attention(Device& device, const AttentionMatrices& matrices);

}  // namespace ropescope::gpu
