// Layer norm, sums and gathering on the device.
#include <array>
#include <fmt/format.h>

#include "core/gpu/encoder_operations.h"
#include "core/gpu/parameters.h"

namespace ropescope::gpu {
namespace {

constexpr std::int64_t kRowThreads = 256;  ///< local_size_x of add and gather
constexpr std::int64_t kElementBytes = sizeof(float);

/// Values that one thread moves.
std::int64_t width_of(std::int64_t columns) {
    return columns % 4 == 0 ? 4 : 1;
}

std::uint32_t program_of_width(Device& device, const char* path, std::int64_t width) {
    return device.programs.get(path, {fmt::format("WIDTH {}", width)});
}

StepCost cost_of_row(std::int64_t columns) {
    return {columns * kElementBytes, 4.0 * to_double(columns * kElementBytes), columns,
            kRowThreads};
}

}  // namespace

void add(Device& device, const Matrix& a, const Matrix& b, const Matrix& out) {
    const std::int64_t units = a.columns / width_of(a.columns);
    const std::uint32_t program = program_of_width(device, "shaders/add.comp", width_of(a.columns));
    in_parts(a.rows, steps_at_once(device.limits, cost_of_row(a.columns), kRowGrain),
             [&](std::int64_t first, std::int64_t rows) {
                 const std::array buffers{a.part(first, rows).range, b.part(first, rows).range,
                                          out.part(first, rows).range};
                 const RowsParameters parameters{.count = to_uint(rows * units),
                                                 .row_units = to_uint(units)};
                 device.launcher.run(program, buffers, parameters,
                                     ceil_divide(rows * units, kRowThreads));
             });
}

void gather(Device& device, const Matrix& table, const BufferRange& ids, const Matrix& out) {
    const std::int64_t units = out.columns / width_of(out.columns);
    const std::uint32_t program =
        program_of_width(device, "shaders/gather.comp", width_of(out.columns));
    const std::int64_t at_once = steps_at_once(device.limits, cost_of_row(out.columns), kRowGrain);
    in_parts(table.rows, at_once, [&](std::int64_t table_first, std::int64_t table_rows) {
        in_parts(out.rows, at_once, [&](std::int64_t first, std::int64_t rows) {
            const BufferRange some_ids{ids.name, ids.offset_bytes + first * kElementBytes,
                                       rows * kElementBytes};
            const std::array buffers{table.part(table_first, table_rows).range, some_ids,
                                     out.part(first, rows).range};
            const RowsParameters parameters{.count = to_uint(rows * units),
                                            .row_units = to_uint(units),
                                            .first_row = to_uint(table_first),
                                            .last_row = to_uint(table_first + table_rows)};
            device.launcher.run(program, buffers, parameters,
                                ceil_divide(rows * units, kRowThreads));
        });
    });
}

void layer_norm(Device& device, const Matrix& x, const NormLayer& norm, const Matrix& out) {
    constexpr std::int64_t kNormThreads = 128;
    const std::int64_t lanes = device.limits.software ? 1 : kNormThreads;
    const std::int64_t rows_of_group = kNormThreads / lanes;
    const std::uint32_t program =
        device.programs.get("shaders/layer_norm.comp", {fmt::format("LANES {}", lanes)});
    const StepCost cost{x.columns * kElementBytes, 16.0 * to_double(x.columns), 1, rows_of_group};
    in_parts(x.rows, steps_at_once(device.limits, cost, kRowGrain),
             [&](std::int64_t first, std::int64_t rows) {
                 const std::array buffers{x.part(first, rows).range, norm.weight.range,
                                          norm.bias.range, out.part(first, rows).range};
                 const LayerNormParameters parameters{
                     .eps = norm.eps, .rows = to_uint(rows), .columns = to_uint(x.columns)};
                 device.launcher.run(program, buffers, parameters,
                                     ceil_divide(rows, rows_of_group));
             });
}

}  // namespace ropescope::gpu
