// Floats in an engine's memory.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace ropescope {

/// The memory itself; each engine has its own kind.
class DeviceBuffer {
  public:
    DeviceBuffer() = default;
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;
    virtual ~DeviceBuffer() = default;
};

/// A handle to a dense row-major matrix [rows, columns]; copying it copies no values. Use it only
/// with the TensorOps that made it and must outlive it. When the last handle goes, the engine keeps
/// the memory for the next tensor of that size.
struct DeviceTensor {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::shared_ptr<DeviceBuffer> buffer;

    explicit operator bool() const { return buffer != nullptr; }
    std::int64_t count() const { return rows * columns; }
};

/// Floats in the program's own memory, kept alive by `owner`.
struct HostFloats {
    std::shared_ptr<const void> owner;
    std::span<const float> values;
};

}  // namespace ropescope
