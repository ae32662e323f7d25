#include "core/gpu/rotation.h"

#include <array>
#include <fmt/format.h>

#include "core/gpu/parameters.h"
#include "core/gpu/table_plan.h"

namespace ropescope::gpu {
namespace {

constexpr std::int64_t kThreads = 256;  ///< local_size_x of the shaders

std::int64_t groups_for(std::int64_t threads) {
    return (threads + kThreads - 1) / kThreads;
}

template <typename Values>
void read_back(Device& device, const Matrix& from, Values& to) {
    to.resize(static_cast<std::size_t>(from.rows * from.columns));
    device.readback.read(from.range, std::as_writable_bytes(std::span(to)));
}

/// Pairs of one step of a thread: as many as every head and every row of the table splits into.
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

RotationTable make_table(Device& device, const Spectrum& spectrum,
                         std::span<const std::int64_t> positions) {
    RotationTable table;
    table.rows = static_cast<std::int64_t>(positions.size());
    table.pairs = spectrum.pairs();
    const TablePlan plan = plan_table(spectrum, positions, spectrum.attention_factor);
    if (table.rows * table.pairs == 0) {
        return table;
    }
    const auto blocks = upload(device.pool, std::span(plan.blocks));
    const auto offsets = upload(device.pool, std::span(plan.offsets));
    const auto rows = upload(device.pool, std::span(plan.rows));
    const std::int64_t row_bytes = table.pairs * static_cast<std::int64_t>(sizeof(float));
    const auto cos_buffer = device.pool.take(table.rows * row_bytes);
    const auto sin_buffer = device.pool.take(table.rows * row_bytes);
    const Matrix cos{cos_buffer->all(), table.rows, table.pairs};
    const Matrix sin{sin_buffer->all(), table.rows, table.pairs};
    const std::uint32_t program = device.programs.get("shaders/table.comp", {});
    const StepCost cost{row_bytes, 8.0 * table.pairs, table.pairs, kThreads};
    in_parts(table.rows, steps_at_once(device.limits, cost, kRowGrain),
             [&](std::int64_t first, std::int64_t count) {
                 const std::array buffers{blocks->all(), offsets->all(), rows->all(),
                                          cos.part(first, count).range,
                                          sin.part(first, count).range};
                 const TableParameters parameters{static_cast<std::uint32_t>(first),
                                                  static_cast<std::uint32_t>(count),
                                                  static_cast<std::uint32_t>(table.pairs), 0};
                 device.launcher.run(program, buffers, parameters, groups_for(count * table.pairs));
             });
    read_back(device, cos, table.cos);
    read_back(device, sin, table.sin);
    return table;
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
    const std::uint32_t program =
        device.programs.get("shaders/rotate.comp",
                            {fmt::format("WIDTH {}", width),
                             fmt::format("HALF_SPLIT {}", layout == Layout::half_split ? 1 : 0)});
    const StepCost cost{x.columns * static_cast<std::int64_t>(sizeof(float)),
                        8.0 * static_cast<double>(x.columns), row_units, kThreads};
    in_parts(x.rows, steps_at_once(device.limits, cost, kRowGrain),
             [&](std::int64_t first, std::int64_t count) {
                 const std::array buffers{
                     x.part(first, count).range, table.cos.range, table.sin.range,
                     choice.indices.bytes > 0 ? choice.indices : table.cos.range};
                 const RotateParameters parameters{static_cast<std::uint32_t>(first),
                                                   static_cast<std::uint32_t>(count),
                                                   static_cast<std::uint32_t>(heads),
                                                   static_cast<std::uint32_t>(head_dim),
                                                   static_cast<std::uint32_t>(pairs),
                                                   static_cast<std::uint32_t>(units),
                                                   static_cast<std::uint32_t>(table.cos.rows),
                                                   choice.indices.bytes > 0 ? 1U : 0U,
                                                   direction == Direction::forward ? 1.0F : -1.0F,
                                                   {}};
                 device.launcher.run(program, buffers, parameters, groups_for(count * row_units));
             });
}

}  // namespace ropescope::gpu
