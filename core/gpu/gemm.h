// Matrix products on the device.
#pragma once

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

}  // namespace ropescope::gpu
