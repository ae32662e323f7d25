// Numbers in an engine's memory from which a picture is drawn without copying them into the
// program. Only a painter on the same device can do so (Engine::drawable), and only with tensors
// that were published (TensorOps::publish).
#pragma once

#include <cstdint>

#include "core/engine/device_tensor.h"

namespace ropescope::plot {

/// The cells of a heat map.
struct LiveCells {
    DeviceTensor tensor = {};
    CellLayout layout = {};
};

/// Points: x of the i-th point is number first + i * step of the tensor, y is the next number.
struct LivePoints {
    DeviceTensor tensor = {};
    std::int64_t first = 0, step = 2, count = 0;
};

}  // namespace ropescope::plot
