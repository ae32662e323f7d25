// The encoder's plain operations on the device: matrix products, layer norm, sums, gathering.
#pragma once

#include <cstdint>
#include <span>

#include "core/gpu/device.h"
#include "core/kernels/activation.h"

namespace ropescope::gpu {

/// weight [out, in], bias [1, out] or none (rows == 0).
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

/// out may be x.
void layer_norm(Device& device, const Matrix& x, const NormLayer& norm, const Matrix& out);

/// out may be a or b.
void add(Device& device, const Matrix& a, const Matrix& b, const Matrix& out);

/// out[i] = table[ids[i]]; ids uint32.
void gather(Device& device, const Matrix& table, const BufferRange& ids, const Matrix& out);

}  // namespace ropescope::gpu
