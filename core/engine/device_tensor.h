// Floats in an engine's memory, and where the cells of a map lie among them.
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

/// Value (row, column) is number first + row * row_step + column * column_step of the tensor. A
/// cell shows the mean (or the largest) of `block` by `block` values.
struct CellLayout {
    std::int64_t first = 0, row_step = 0, column_step = 1;
    /// The value is the angle of the vector (that number, the one after it), -pi .. pi.
    bool angle = false;
    std::int64_t block = 1;
    std::int64_t rows = 0, columns = 0;  ///< values; the last block may be smaller
    bool largest = false;                ///< of the values of a block; otherwise their mean
    bool operator==(const CellLayout&) const = default;
};

}  // namespace ropescope
