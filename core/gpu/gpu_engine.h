// The engine that computes in GLSL shaders.
#pragma once

#include <cstdint>
#include <memory>

#include "core/engine/engine.h"
#include "core/engine/tensor_ops.h"
#include "core/gpu/device.h"

namespace ropescope {

/// Computes in the OpenGL context that is current on this thread (4.3 or newer); use and destroy
/// the engine while that context is current. Throws CapabilityError if there is no such context.
/// The engine's methods throw it when the device fails, before they change anything of the
/// caller's. Tests set `lost_after`: after that many launches of shaders the device counts as lost;
/// if negative, never.
std::unique_ptr<Engine> make_gpu_engine(std::int64_t lost_after = -1);

}  // namespace ropescope

namespace ropescope::gpu {

// The tensor operations of the encoder on the device.

/// The device must outlive them.
std::unique_ptr<TensorOps> make_gpu_tensor_ops(Device& device);

}  // namespace ropescope::gpu
