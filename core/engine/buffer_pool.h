// Memory of tensors that are gone, kept for the next ones: fresh memory costs more than using it.
#pragma once

#include <memory>

#include "core/base/aligned_vector.h"
#include "core/engine/device_tensor.h"

namespace ropescope {

/// A tensor's memory on the CPU: its own, or somebody else's that must not be written.
class CpuBuffer : public DeviceBuffer {
  public:
    virtual const float* data() const = 0;
    /// Throws std::logic_error for somebody else's memory.
    virtual float* writable() = 0;
};

/// Hands out buffers; a buffer comes back by itself when its last user is gone, also after the pool
/// itself is.
class BufferPool {
  public:
    BufferPool();

    /// `count` floats with any values in them.
    std::shared_ptr<CpuBuffer> take(std::int64_t count);

  private:
    struct Free;
    std::shared_ptr<Free> free_;
};

/// Somebody else's floats.
std::shared_ptr<CpuBuffer> borrow(const HostFloats& values);

}  // namespace ropescope
