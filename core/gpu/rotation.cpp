// Makes rotation tables and applies them on the device.
#include "core/gpu/rotation.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "core/gpu/parameters.h"
#include "core/gpu/table_plan.h"

namespace ropescope::gpu {
namespace {

constexpr std::int64_t kRotationThreads = 256;  ///< local_size_x of the shaders
constexpr std::int64_t kChannelBytes = sizeof(float);

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

OwnedTable empty_table(Device& device, std::int64_t rows, std::int64_t pairs) {
    const std::int64_t bytes = rows * pairs * kChannelBytes;
    return {rows, pairs, device.pool.take(bytes), device.pool.take(bytes)};
}

}  // namespace

OwnedTable make_table(Device& device, const Spectrum& spectrum,
                      std::span<const std::int64_t> positions) {
    const TablePlan plan = plan_table(spectrum, positions, spectrum.attention_factor);
    const std::int64_t pairs = spectrum.pairs();
    const std::int64_t row_bytes = pairs * kChannelBytes;
    OwnedTable owned = empty_table(device, std::ssize(positions), pairs);
    if (owned.rows * pairs == 0) {
        return owned;
    }
    const auto blocks = upload(device.pool, std::span(plan.blocks));
    const auto offsets = upload(device.pool, std::span(plan.offsets));
    const auto rows = upload(device.pool, std::span(plan.rows));
    const DeviceTable table = owned.table();
    const std::uint32_t program = device.programs.get("shaders/table.comp", {});
    const StepCost cost{row_bytes, 8.0 * to_double(pairs), pairs, kRotationThreads};
    in_parts(owned.rows, steps_at_once(device.limits, cost, kRowGrain),
             [&](std::int64_t first, std::int64_t count) {
                 const std::array buffers{blocks->all(), offsets->all(), rows->all(),
                                          table.cos.part(first, count).range,
                                          table.sin.part(first, count).range};
                 const TableParameters parameters{
                     .first_row = to_uint(first), .rows = to_uint(count), .pairs = to_uint(pairs)};
                 device.launcher.run(program, buffers, parameters,
                                     ceil_divide(count * pairs, kRotationThreads));
             });
    return owned;
}

OwnedTable make_table(Device& device, const Spectrum& spectrum, const AxisPositions& positions) {
    validate(positions, spectrum.axes);
    OwnedTable owned = empty_table(device, positions.tokens(), spectrum.pairs());
    if (owned.rows * owned.pairs == 0) {
        return owned;
    }
    const std::uint32_t program = device.programs.get("shaders/axis_table.comp", {});
    constexpr std::int64_t kTokensOfPlan = 4096;  // bounds the memory of their coordinates
    const std::int64_t row_bytes = owned.pairs * kChannelBytes;
    const StepCost cost{row_bytes, 8.0 * to_double(owned.pairs * positions.axes), owned.pairs,
                        kRotationThreads};
    const std::int64_t at_once =
        std::min(kTokensOfPlan, steps_at_once(device.limits, cost, kRowGrain));
    in_parts(owned.rows, at_once, [&](std::int64_t first, std::int64_t count) {
        const AxisTablePlan plan = plan_axis_table(spectrum, positions, first, count);
        const auto coordinates = upload(device.pool, std::span(plan.coordinates));
        const auto rows = upload(device.pool, std::span(plan.rows));
        const DeviceTable table = owned.table();
        const std::array buffers{coordinates->all(), rows->all(),
                                 table.cos.part(first, count).range,
                                 table.sin.part(first, count).range};
        const TableParameters parameters{
            .rows = to_uint(count), .pairs = to_uint(owned.pairs), .axes = to_uint(positions.axes)};
        device.launcher.run(program, buffers, parameters,
                            ceil_divide(count * owned.pairs, kRotationThreads));
    });
    return owned;
}

void rotate(Device& device, const Matrix& x, std::int64_t heads, const DeviceTable& table,
            const RowChoice& choice, const ChannelChoice& channels, Direction direction) {
    const std::int64_t head_dim = x.columns / heads;
    const std::int64_t pairs = table.cos.columns;
    const bool listed = channels.listed.bytes > 0;
    const std::int64_t width = listed ? 1 : width_of(channels.layout, pairs, head_dim);
    const std::int64_t units = pairs / width;
    const std::int64_t row_units = heads * units;
    if (x.rows * row_units == 0) {
        return;
    }
    const std::uint32_t program = device.programs.get(
        "shaders/rotate.comp",
        {fmt::format("WIDTH {}", width), fmt::format("MAPPED {:d}", listed),
         fmt::format("HALF_SPLIT {:d}", channels.layout == Layout::half_split)});
    const StepCost cost{x.columns * kChannelBytes, 8.0 * to_double(x.columns), row_units,
                        kRotationThreads};
    in_parts(x.rows, steps_at_once(device.limits, cost, kRowGrain),
             [&](std::int64_t first, std::int64_t count) {
                 const std::array buffers{
                     x.part(first, count).range, table.cos.range, table.sin.range,
                     choice.indices.bytes > 0 ? choice.indices : table.cos.range,
                     listed ? channels.listed : table.cos.range};
                 const RotateParameters parameters{
                     .first_row = to_uint(first),
                     .rows = to_uint(count),
                     .heads = to_uint(heads),
                     .head_dim = to_uint(head_dim),
                     .pairs = to_uint(pairs),
                     .units = to_uint(units),
                     .table_rows = to_uint(table.cos.rows),
                     .indexed = choice.indices.bytes > 0 ? 1U : 0U,
                     .sign = direction == Direction::forward ? 1.0F : -1.0F,
                     .head_rows = to_uint(choice.head_rows)};
                 device.launcher.run(program, buffers, parameters,
                                     ceil_divide(count * row_units, kRotationThreads));
             });
}

}  // namespace ropescope::gpu
