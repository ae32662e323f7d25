// Operations of the encoder that work row by row: layer norm, sums, gathering.
#pragma once

#include "core/gpu/device.h"

namespace ropescope::gpu {

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

}  // namespace ropescope::gpu
