// Buffers in the device's memory, kept when they are given back: making one costs more than using
// it.
#pragma once

#include <cstdint>
#include <memory>

#include "core/engine/device_tensor.h"

namespace ropescope::gpu {

/// A part of a buffer, as a shader is given it.
struct BufferRange {
    std::uint32_t name = 0;  ///< OpenGL's
    std::int64_t offset_bytes = 0;
    std::int64_t bytes = 0;
};

class GlBufferPool;

/// Goes back to its pool by itself, from any thread; may outlive the pool.
class GlBuffer final : public DeviceBuffer {
  public:
    ~GlBuffer() override;

    std::int64_t bytes() const { return bytes_; }
    /// All of it. The first use gets the memory, so it needs the context (a handle can be made
    /// without). Throws CapabilityError when the device has no more.
    BufferRange all();

  private:
    friend class GlBufferPool;
    struct Home;
    GlBuffer(std::shared_ptr<Home> home, std::int64_t bytes);

    std::shared_ptr<Home> home_;
    std::uint32_t name_ = 0;
    std::int64_t bytes_;
    std::int64_t capacity_;
};

/// Made and destroyed while its context is current.
class GlBufferPool {
  public:
    GlBufferPool();
    ~GlBufferPool();
    GlBufferPool(const GlBufferPool&) = delete;
    GlBufferPool& operator=(const GlBufferPool&) = delete;

    /// Room for `bytes`, with anything in it; from any thread.
    std::shared_ptr<GlBuffer> take(std::int64_t bytes);
    /// Buffers that lie ready.
    std::size_t idle() const;

  private:
    std::shared_ptr<GlBuffer::Home> home_;
};

}  // namespace ropescope::gpu
