// Numbers that a picture is drawn from where an engine keeps them, without passing through the
// program: only a painter that draws on the same device can (Engine::drawable), and only what was
// published (TensorOps::publish).
#pragma once

#include <cstdint>

#include "core/engine/device_tensor.h"

namespace ropescope::plot {

/// The cells of a heat map.
struct LiveCells {
    DeviceTensor tensor = {};
    CellLayout layout = {};
};

/// Points: x of the i-th is number first + i * step, y the one after it.
struct LivePoints {
    DeviceTensor tensor = {};
    std::int64_t first = 0, step = 2, count = 0;
};

}  // namespace ropescope::plot
