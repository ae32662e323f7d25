// Buffers in the device's memory. The pool keeps those that are given back: making a buffer costs
// more than using it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "core/engine/device_tensor.h"

namespace ropescope::gpu {

/// A part of a buffer, as it is bound to a shader.
struct BufferRange {
    std::uint32_t name = 0;  ///< in OpenGL
    std::int64_t offset_bytes = 0;
    std::int64_t bytes = 0;
};

class GlBufferPool;
class GlBuffer;

/// The tensor's memory. Throws std::logic_error if it belongs to another engine.
GlBuffer& buffer_of(const DeviceTensor& tensor);

/// Returns to its pool by itself, from any thread; may outlive the pool.
class GlBuffer final : public DeviceBuffer {
  public:
    ~GlBuffer() override;

    std::int64_t bytes() const { return bytes_; }
    /// All of it. The first call allocates the memory, so the context must be current then. Throws
    /// CapabilityError if the device is out of memory.
    BufferRange all();

    /// Inserts a fence for contexts that share with its own, after all commands so far. Its own
    /// context must be current.
    void publish();
    /// In one of those contexts: makes later commands wait for the fence and returns the range.
    /// Empty if the buffer was not published or its own context is gone. That context must live
    /// until the commands that use the range have been issued.
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

/// Its context must be current when it is made and destroyed.
class GlBufferPool {
  public:
    GlBufferPool();
    ~GlBufferPool();
    GlBufferPool(const GlBufferPool&) = delete;
    GlBufferPool& operator=(const GlBufferPool&) = delete;

    /// A buffer for `bytes` with undefined contents. Safe from any thread.
    std::shared_ptr<GlBuffer> take(std::int64_t bytes);
    /// The number of buffers that lie ready.
    std::size_t idle() const;

  private:
    std::shared_ptr<GlBuffer::Home> home_;
};

// Transfers into and out of the device's memory.

/// A new buffer that holds the bytes.
std::shared_ptr<GlBuffer> upload_bytes(GlBufferPool& pool, std::span<const std::byte> bytes);

template <typename T>
std::shared_ptr<GlBuffer> upload(GlBufferPool& pool, std::span<const T> values) {
    return upload_bytes(pool, std::as_bytes(values));
}

/// Reads through two staging buffers in turn: while the device fills one, we read the other. Every
/// byte that leaves the device passes through here.
class Readback {
  public:
    Readback();
    ~Readback();
    Readback(const Readback&) = delete;
    Readback& operator=(const Readback&) = delete;

    /// Fills `to` from the beginning of the range, after all earlier commands have finished. Throws
    /// CapabilityError if the device fails.
    void read(const BufferRange& from, std::span<std::byte> to);

  private:
    struct Stage;
    std::unique_ptr<Stage[]> stages_;
};

}  // namespace ropescope::gpu
