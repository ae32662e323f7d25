// Buffers in the device's memory, kept when they are given back: making one costs more than using
// it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/engine/device_tensor.h"

namespace ropescope::gpu {

/// A part of a buffer, as a shader is given it.
struct BufferRange {
    std::uint32_t name = 0;  ///< OpenGL's
    std::int64_t offset_bytes = 0;
    std::int64_t bytes = 0;
};

class GlBufferPool;
class GlBuffer;

/// The tensor's memory; std::logic_error where it is another engine's.
GlBuffer& buffer_of(const DeviceTensor& tensor);

/// Goes back to its pool by itself, from any thread; may outlive the pool.
class GlBuffer final : public DeviceBuffer {
  public:
    ~GlBuffer() override;

    std::int64_t bytes() const { return bytes_; }
    /// All of it. The first use gets the memory, so it needs the context (a handle can be made
    /// without). Throws CapabilityError when the device has no more.
    BufferRange all();

    /// Lets other contexts that share with its own wait for what this one has been asked for so
    /// far. With its own context current.
    void publish();
    /// With one of those current: what is asked for next sees what was published. None where it was
    /// not published, or where its own context is gone, which must not end before the use of the
    /// range has been asked for.
    std::optional<BufferRange> published() const;

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
