// One OpenGL context to compute in, with what its kernels share. Make, use and destroy a Device
// while that context is current.
#pragma once

#include "core/gpu/buffers.h"
#include "core/gpu/gl_context.h"
#include "core/gpu/launcher.h"
#include "core/gpu/programs.h"

namespace ropescope::gpu {

struct Device {
    /// Throws CapabilityError without OpenGL 4.3.
    Device() : limits(query_limits()), launcher(limits) {}
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    DeviceLimits limits;  ///< first: the launcher is made from it
    Programs programs;
    GlBufferPool pool;
    Readback readback;
    Launcher launcher;
};

/// A dense matrix of floats in the device's memory, or some rows of one.
struct Matrix {
    BufferRange range;
    std::int64_t rows = 0;
    std::int64_t columns = 0;

    /// Rows first .. first + count - 1.
    Matrix part(std::int64_t first, std::int64_t count) const {
        constexpr std::int64_t kValue = sizeof(float);
        const std::int64_t row_bytes = columns * kValue;
        return {{range.name, range.offset_bytes + first * row_bytes, count * row_bytes},
                count,
                columns};
    }
};

}  // namespace ropescope::gpu
