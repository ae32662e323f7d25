// Matrix products on the device, in tiles.
#include <array>
#include <fmt/format.h>

#include "core/gpu/encoder_operations.h"
#include "core/gpu/parameters.h"

namespace ropescope::gpu {
namespace {

/// How the device computes a tile of the output.
struct Tiling {
    const char* shader;
    std::int64_t rows;     ///< of a tile
    std::int64_t columns;  ///< of a tile
    std::int64_t tiles;    ///< of a work group
    std::int64_t threads;  ///< of a work group
};

constexpr Tiling kLarge{"shaders/gemm_tiled.comp", 128, 128, 1, 256};
constexpr Tiling kSmall{"shaders/gemm_tiled.comp", 64, 64, 1, 64};
constexpr Tiling kPlain{"shaders/gemm_plain.comp", 4, 4, 64, 64};

constexpr std::int64_t kLargeShared = 32768;
constexpr std::int64_t kLargeThreads = 256;

std::int64_t tiles_of(const Tiling& tiling, std::int64_t rows, std::int64_t columns) {
    return ceil_divide(rows, tiling.rows) * ceil_divide(columns, tiling.columns);
}

const Tiling& tiling_for(const DeviceLimits& limits, std::int64_t rows, std::int64_t columns) {
    if (limits.software) {
        return kPlain;
    }
    // Large tiles read least, but there must be enough of them to keep the device busy.
    const bool fits = limits.shared_bytes >= kLargeShared && limits.invocations >= kLargeThreads;
    return fits && tiles_of(kLarge, rows, columns) >= limits.busy_tiles ? kLarge : kSmall;
}

/// Some rows of x times some rows of W.
struct Part {
    Matrix x;
    Matrix weight;
    std::int64_t first_column;
    Matrix out;
};

void multiply(Device& device, const Tiling& tiling, std::uint32_t program, const Part& part,
              const Matrix& bias, Activation activation) {
    const bool has_bias = bias.rows > 0;
    const std::array buffers{part.x.range, part.weight.range,
                             has_bias ? bias.range : part.weight.range, part.out.range};
    const GemmParameters parameters{.rows = to_uint(part.x.rows),
                                    .columns = to_uint(part.weight.rows),
                                    .depth = to_uint(part.x.columns),
                                    .first_column = to_uint(part.first_column),
                                    .out_columns = to_uint(part.out.columns),
                                    .has_bias = has_bias ? 1U : 0U,
                                    .row_tiles = to_uint(ceil_divide(part.x.rows, tiling.rows)),
                                    .activation = static_cast<std::uint32_t>(activation)};
    device.launcher.run(program, buffers, parameters,
                        ceil_divide(tiles_of(tiling, part.x.rows, part.weight.rows), tiling.tiles));
}

}  // namespace

void gemm(Device& device, const Matrix& x, const LinearLayer& linear, Activation activation,
          const Matrix& out) {
    const std::int64_t depth = x.columns;
    const Tiling& tiling = tiling_for(device.limits, x.rows, out.columns);
    const std::uint32_t program =
        device.programs.get(tiling.shader, {fmt::format("WIDTH {}", depth % 4 == 0 ? 4 : 1),
                                            fmt::format("TILE {}", tiling.rows),
                                            fmt::format("THREADS {}", tiling.threads)});
    // First the rows of the weight that one range holds; then the rows of x that fit the range of
    // the output and the time of a part.
    const std::int64_t value = sizeof(float);
    const std::int64_t columns_at_once = steps_at_once(device.limits, {depth * value}, kRowGrain);
    const double operations =
        2.0 * to_double(std::min(out.columns, columns_at_once)) * to_double(depth);
    const StepCost row_cost{std::max(out.columns, depth) * value, operations,
                            ceil_divide(out.columns, tiling.columns), 1};
    const std::int64_t rows_at_once = steps_at_once(device.limits, row_cost, kRowGrain);
    in_parts(out.columns, columns_at_once, [&](std::int64_t first_column, std::int64_t columns) {
        in_parts(x.rows, rows_at_once, [&](std::int64_t first_row, std::int64_t rows) {
            multiply(device, tiling, program,
                     {x.part(first_row, rows), linear.weight.part(first_column, columns),
                      first_column, out.part(first_row, rows)},
                     linear.bias, activation);
        });
    });
}

}  // namespace ropescope::gpu
