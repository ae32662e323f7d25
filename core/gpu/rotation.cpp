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

OwnedTable make_table(Device& device, const Spectrum& spectrum,
                      std::span<const std::int64_t> positions) {
    const TablePlan plan = plan_table(spectrum, positions, spectrum.attention_factor);
    const auto pairs = static_cast<std::int64_t>(spectrum.pairs());
    const std::int64_t row_bytes = pairs * static_cast<std::int64_t>(sizeof(float));
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
    const StepCost cost{row_bytes, 8.0 * static_cast<double>(pairs), pairs, kThreads};
    in_parts(owned.rows, steps_at_once(device.limits, cost, kRowGrain),
             [&](std::int64_t first, std::int64_t count) {
                 const std::array buffers{blocks->all(), offsets->all(), rows->all(),
                                          table.cos.part(first, count).range,
                                          table.sin.part(first, count).range};
                 const TableParameters parameters{static_cast<std::uint32_t>(first),
                                                  static_cast<std::uint32_t>(count),
                                                  static_cast<std::uint32_t>(pairs), 0};
                 device.launcher.run(program, buffers, parameters, groups_for(count * pairs));
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
