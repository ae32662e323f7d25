// Heat maps coloured where their numbers are.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/engine/cell_layout.h"
#include "core/gpu/device.h"

namespace ropescope::gpu {

/// Cells [begin, end) along one side of a pixel; empty: beside the map.
struct PixelCells {
    std::uint32_t begin = 0, end = 0;
};

/// Colours RGBA8 in the order of memory, in even steps from `low` to `high`; outside of them the
/// ends.
struct HeatMapColors {
    std::span<const std::uint32_t> shades;
    std::uint32_t undefined = 0;  ///< of NaN
    double low = 0, high = 1;
};

/// The picture [rows, columns] of the cells of a tensor's floats, RGBA8, top row first: a pixel has
/// the colour of the mean of its cells, or none (all zeros) where it has no cells. Throws
/// CapabilityError where the device has no room.
std::shared_ptr<GlBuffer> heat_map_pixels(Device& device, const BufferRange& values,
                                          const CellLayout& layout,
                                          std::span<const PixelCells> columns,
                                          std::span<const PixelCells> rows,
                                          const HeatMapColors& colors);

}  // namespace ropescope::gpu
