// Floats in an engine's memory.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace ropescope {

/// The memory itself, of whatever kind its engine has.
class DeviceBuffer {
  public:
    DeviceBuffer() = default;
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;
    virtual ~DeviceBuffer() = default;
};

/// A handle to a dense row-major matrix [rows, columns]: copying it copies no values. It can be
/// used with the TensorOps that made it, and must not outlive them. The memory goes back to the
/// engine with the last handle, for the next tensor of that size.
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
