// Transfers into and out of the device's memory.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "core/gpu/buffers.h"

namespace ropescope::gpu {

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
