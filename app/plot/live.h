// Numbers that a picture is drawn from where an engine keeps them, without passing through the
// program: only a painter that draws on the same device can (Engine::drawable), and only what was
// published (TensorOps::publish).
#pragma once

#include <cstdint>

#include "core/engine/device_tensor.h"

namespace ropescope::plot {

/// The cells of a heat map. Value (row, column) is number first + row * row_step + column *
/// column_step of the tensor's; a cell is one of them, or what `block` by `block` of them come to.
struct LiveCells {
    DeviceTensor tensor = {};
    std::int64_t first = 0, row_step = 0, column_step = 1;
    /// The value is the angle of the vector (that number, the one after it), -pi .. pi.
    bool angle = false;
    std::int64_t block = 1;
    std::int64_t rows = 0, columns = 0;  ///< values, where the last block may be smaller
    bool largest = false;                ///< a cell is the largest value of its block, or the mean
};

/// Points: x of the i-th is number first + i * step, y the one after it.
struct LivePoints {
    DeviceTensor tensor = {};
    std::int64_t first = 0, step = 2, count = 0;
};

}  // namespace ropescope::plot
