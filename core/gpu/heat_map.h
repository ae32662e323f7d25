// Heat maps coloured where their numbers are.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/gpu/device.h"

namespace ropescope::gpu {

/// Value (row, column) is float number first + row * row_step + column * column_step of the range,
/// or the angle of the vector (that one, the next); a cell is the mean of block by block of them,
/// or their largest. `rows` and `columns` count values and matter where block > 1.
struct HeatMapCells {
    BufferRange values = {};
    std::int64_t first = 0, row_step = 0, column_step = 1;
    bool angle = false;
    std::int64_t block = 1;
    std::int64_t rows = 0, columns = 0;
    bool largest = false;
};

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

/// The picture [rows, columns], RGBA8, top row first: a pixel has the colour of the mean of its
/// cells, or none (all zeros) where it has no cells. Throws CapabilityError where the
/// device has no room.
std::shared_ptr<GlBuffer> heat_map_pixels(Device& device, const HeatMapCells& cells,
                                          std::span<const PixelCells> columns,
                                          std::span<const PixelCells> rows,
                                          const HeatMapColors& colors);

}  // namespace ropescope::gpu
