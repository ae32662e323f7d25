// Makes rotation tables and applies them on the device.
#include "core/gpu/rotation.h"

#include <array>
#include <fmt/format.h>

#include "core/gpu/parameters.h"
#include "core/gpu/table_plan.h"

namespace ropescope::gpu {
namespace {

constexpr std::int64_t kThreads = 256;  ///< local_size_x of the shaders
constexpr std::int64_t kValue = sizeof(float);

/// Pairs of one step of a thread; every head and every row of the table divides into such steps.
std::int64_t width_of(Layout layout, std::int64_t pairs, std::int64_t head_dim) {
    if (head_dim % 4 != 0) {
        return 1;
    }
    if (layout == Layout::half_split) {
        return pairs % 4 == 0 ? 4 : 1;
    }
    return pairs % 2 == 0 ? 2 : 1;
}

}  // namespace

OwnedTable make_table(Device& device, const Spectrum& spectrum,
                      std::span<const std::int64_t> positions) {
    const TablePlan plan = plan_table(spectrum, positions, spectrum.attention_factor);
    const std::int64_t pairs = spectrum.pairs();
    const std::int64_t row_bytes = pairs * kValue;
    OwnedTable owned{std::ssize(positions), pairs, nullptr, nullptr};
    owned.cos = device.pool.take(owned.rows * row_bytes);
    owned.sin = device.pool.take(owned.rows * row_bytes);
    if (owned.rows * pairs == 0) {
        return owned;
    }
    const auto blocks = upload(device.pool, std::span(plan.blocks));
    const auto offsets = upload(device.pool, std::span(plan.offsets));
    const auto rows = upload(device.pool, std::span(plan.rows));
    const DeviceTable table = owned.table();
    const std::uint32_t program = device.programs.get("shaders/table.comp", {});
    const StepCost cost{row_bytes, 8.0 * to_double(pairs), pairs, kThreads};
    in_parts(owned.rows, steps_at_once(device.limits, cost, kRowGrain),
             [&](std::int64_t first, std::int64_t count) {
                 const std::array buffers{blocks->all(), offsets->all(), rows->all(),
                                          table.cos.part(first, count).range,
                                          table.sin.part(first, count).range};
                 const TableParameters parameters{
                     .first_row = to_uint(first), .rows = to_uint(count), .pairs = to_uint(pairs)};
                 device.launcher.run(program, buffers, parameters,
                                     ceil_divide(count * pairs, kThreads));
             });
    return owned;
}

void rotate(Device& device, const Matrix& x, std::int64_t heads, const DeviceTable& table,
            const RowChoice& choice, Layout layout, Direction direction) {
    const std::int64_t head_dim = x.columns / heads;
    const std::int64_t pairs = table.cos.columns;
    const std::int64_t width = width_of(layout, pairs, head_dim);
    const std::int64_t units = pairs / width;
    const std::int64_t row_units = heads * units;
    if (x.rows * row_units == 0) {
        return;
    }
    const std::uint32_t program = device.programs.get(
        "shaders/rotate.comp", {fmt::format("WIDTH {}", width),
                                fmt::format("HALF_SPLIT {:d}", layout == Layout::half_split)});
    const StepCost cost{x.columns * kValue, 8.0 * to_double(x.columns), row_units, kThreads};
    in_parts(x.rows, steps_at_once(device.limits, cost, kRowGrain),
             [&](std::int64_t first, std::int64_t count) {
                 const std::array buffers{
                     x.part(first, count).range, table.cos.range, table.sin.range,
                     choice.indices.bytes > 0 ? choice.indices : table.cos.range};
                 const RotateParameters parameters{
                     .first_row = to_uint(first),
                     .rows = to_uint(count),
                     .heads = to_uint(heads),
                     .head_dim = to_uint(head_dim),
                     .pairs = to_uint(pairs),
                     .units = to_uint(units),
                     .table_rows = to_uint(table.cos.rows),
                     .indexed = choice.indices.bytes > 0 ? 1U : 0U,
                     .sign = direction == Direction::forward ? 1.0F : -1.0F};
                 device.launcher.run(program, buffers, parameters,
                                     ceil_divide(count * row_units, kThreads));
             });
}

}  // namespace ropescope::gpu
