#include "core/gpu/heat_map.h"

#include <array>
#include <vector>

#include "core/gpu/parameters.h"

namespace ropescope::gpu {
namespace {

constexpr std::int64_t kThreads = 256;  ///< local_size_x of the shader
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
    auto pixels =
        device.pool.take(width * height * static_cast<std::int64_t>(sizeof(std::uint32_t)));
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
    const double values_a_row = static_cast<double>(layout.block * layout.block) *
                                cells_along(columns) * cells_along(rows) /
                                static_cast<double>(height);
    const StepCost cost{
        width * static_cast<std::int64_t>(sizeof(std::uint32_t)),
        kOperationsAValue * values_a_row + kOperationsAPixel * static_cast<double>(width), width,
        kThreads};
    in_parts(height, steps_at_once(device.limits, cost, kRowGrain),
             [&](std::int64_t first, std::int64_t count) {
                 const std::array buffers{values, column_cells->all(), row_cells->all(),
                                          palette->all(), picture.part(first, count).range};
                 const HeatMapParameters parameters{
                     colors.low,
                     colors.high,
                     static_cast<std::uint32_t>(layout.first),
                     static_cast<std::uint32_t>(layout.row_step),
                     static_cast<std::uint32_t>(layout.column_step),
                     layout.angle ? 1U : 0U,
                     layout.largest ? 1U : 0U,
                     static_cast<std::uint32_t>(layout.block),
                     static_cast<std::uint32_t>(layout.rows),
                     static_cast<std::uint32_t>(layout.columns),
                     static_cast<std::uint32_t>(first),
                     static_cast<std::uint32_t>(count),
                     static_cast<std::uint32_t>(width),
                     static_cast<std::uint32_t>(colors.shades.size())};
                 device.launcher.run(program, buffers, parameters,
                                     (count * width + kThreads - 1) / kThreads);
             });
    return pixels;
}

}  // namespace ropescope::gpu
