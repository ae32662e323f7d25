// Colours heat maps in the memory of the device.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/engine/device_tensor.h"
#include "core/gpu/device.h"

namespace ropescope::gpu {

/// Cells [begin, end) along one side of a pixel, and the shares of the first and the last with
/// which they count; empty if the pixel lies beside the map. As in the shader.
struct PixelCells {
    std::uint32_t begin = 0, end = 0;
    float first = 1, last = 1;
};

/// Colours RGBA8 in the order of memory, in even steps from `low` to `high`. A value outside takes
/// the colour of the nearer end.
struct HeatMapColors {
    std::span<const std::uint32_t> shades;
    std::uint32_t undefined = 0;  ///< the colour of NaN
    double low = 0, high = 1;
};

/// The picture [rows, columns] of the cells of a tensor's floats, RGBA8, top row first. A pixel has
/// the colour of the mean of its cells, or is transparent (all zeros) if it has none. Throws
/// CapabilityError if the device is out of memory.
std::shared_ptr<GlBuffer> heat_map_pixels(Device& device, const BufferRange& values,
                                          const CellLayout& layout,
                                          std::span<const PixelCells> columns,
                                          std::span<const PixelCells> rows,
                                          const HeatMapColors& colors);

}  // namespace ropescope::gpu
