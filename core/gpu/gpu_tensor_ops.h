// The tensor operations of the encoder on the device.
#pragma once

#include <memory>

#include "core/engine/tensor_ops.h"
#include "core/gpu/device.h"

namespace ropescope::gpu {

/// The device must outlive them.
std::unique_ptr<TensorOps> make_gpu_tensor_ops(Device& device);

}  // namespace ropescope::gpu
