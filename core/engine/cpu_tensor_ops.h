// The encoder's operations on the CPU: matrix products by oneDNN, the rest in vector loops, both
// split over the engine's threads.
#pragma once

#include <memory>

#include "core/base/aligned_vector.h"
#include "core/engine/device_tensor.h"
#include "core/engine/tensor_ops.h"

namespace ropescope {

std::unique_ptr<TensorOps> make_cpu_tensor_ops(int threads);

// Keeps the memory of tensors that are gone for the next ones: getting fresh memory costs more than
// using it.

/// A tensor's memory on the CPU: from the pool, or borrowed and then read-only.
class CpuBuffer : public DeviceBuffer {
  public:
    virtual const float* data() const = 0;
    /// Throws std::logic_error for borrowed memory.
    virtual float* writable() = 0;
};

/// Hands out buffers. A buffer returns by itself when its last user is gone, and may outlive the
/// pool.
class BufferPool {
  public:
    BufferPool();

    /// `count` floats with undefined values.
    std::shared_ptr<CpuBuffer> take(std::int64_t count);

  private:
    struct Free;
    std::shared_ptr<Free> free_;
};

/// The floats of another owner, without a copy.
std::shared_ptr<CpuBuffer> borrow(const HostFloats& values);

}  // namespace ropescope
