// Colours a heat map pixel by pixel on the device.
#include "core/gpu/heat_map.h"

#include <array>
#include <vector>

#include "core/gpu/parameters.h"

namespace ropescope::gpu {
namespace {

constexpr std::int64_t kCellThreads = 256;  ///< local_size_x of the shader
constexpr std::int64_t kPixel = sizeof(std::uint32_t);
constexpr double kOperationsAValue = 8.0, kOperationsAPixel = 32.0;

double cells_along(std::span<const PixelCells> side) {
    double cells = 0;
    for (const PixelCells& pixel : side) {
        cells += pixel.end - pixel.begin;
    }
    return cells;
}

}  // namespace

std::shared_ptr<GlBuffer> heat_map_pixels(Device& device, const BufferRange& values,
                                          const CellLayout& layout,
                                          std::span<const PixelCells> columns,
                                          std::span<const PixelCells> rows,
                                          const HeatMapColors& colors) {
    const std::int64_t width = std::ssize(columns), height = std::ssize(rows);
    auto pixels = device.pool.take(width * height * kPixel);
    if (width * height == 0) {
        return pixels;
    }
    std::vector<std::uint32_t> shades(colors.shades.begin(), colors.shades.end());
    shades.push_back(colors.undefined);
    const auto column_cells = upload(device.pool, columns);
    const auto row_cells = upload(device.pool, rows);
    const auto palette = upload(device.pool, std::span<const std::uint32_t>(shades));
    const Matrix picture{pixels->all(), height, width};
    const std::uint32_t program = device.programs.get("shaders/heat_map.comp", {});
    const double values_a_row = to_double(layout.block * layout.block) * cells_along(columns) *
                                cells_along(rows) / to_double(height);
    const StepCost cost{width * kPixel,
                        kOperationsAValue * values_a_row + kOperationsAPixel * to_double(width),
                        width, kCellThreads};
    in_parts(height, steps_at_once(device.limits, cost, kRowGrain),
             [&](std::int64_t first, std::int64_t count) {
                 const std::array buffers{values, column_cells->all(), row_cells->all(),
                                          palette->all(), picture.part(first, count).range};
                 const HeatMapParameters parameters{.low = colors.low,
                                                    .high = colors.high,
                                                    .first = to_uint(layout.first),
                                                    .row_step = to_uint(layout.row_step),
                                                    .column_step = to_uint(layout.column_step),
                                                    .angle = layout.angle ? 1U : 0U,
                                                    .largest = layout.largest ? 1U : 0U,
                                                    .block = to_uint(layout.block),
                                                    .value_rows = to_uint(layout.rows),
                                                    .value_columns = to_uint(layout.columns),
                                                    .first_row = to_uint(first),
                                                    .count = to_uint(count),
                                                    .width = to_uint(width),
                                                    .shades = to_uint(std::ssize(colors.shades))};
                 device.launcher.run(program, buffers, parameters,
                                     ceil_divide(count * width, kCellThreads));
             });
    return pixels;
}

}  // namespace ropescope::gpu
