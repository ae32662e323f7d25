// Makes rotation tables and applies them on the device.
#include "core/gpu/rotation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <unordered_map>

#include "core/base/index.h"
#include "core/gpu/parameters.h"

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

// Forms the angles of a rotation table on the processor, by blocks of positions.

namespace {

constexpr std::int64_t kBlockRows = 256;  ///< positions of a block

/// Rows of cos and sin, one for each different position that was asked for.
class PlannedRows {
  public:
    PlannedRows(const Spectrum& spectrum, double gain, std::vector<Cis>& rows)
        : spectrum_(spectrum), gain_(gain), rows_(rows) {}

    std::uint32_t row_of(std::int64_t position) {
        const auto [found, added] =
            known_.emplace(position, narrow<std::uint32_t>(std::ssize(known_)));
        if (added) {
            append(position);
        }
        return found->second;
    }

  private:
    void append(std::int64_t position) {
        for (const double inv_freq_rad : spectrum_.inv_freq_rad) {
            const double angle_rad = reduced_angle_rad(position, inv_freq_rad);
            rows_.push_back({gain_ * std::cos(angle_rad), gain_ * std::sin(angle_rad)});
        }
    }

    const Spectrum& spectrum_;
    double gain_;
    std::vector<Cis>& rows_;
    std::unordered_map<std::int64_t, std::uint32_t> known_;
};

/// cos and sin of what one coordinate adds to the angle of every pair.
void append_coordinate(const Spectrum& spectrum, std::int64_t axis, double coordinate,
                       std::vector<Cis>& rows) {
    const double gain = axis == 0 ? spectrum.attention_factor : 1.0;
    for (std::int64_t i = 0; i < spectrum.pairs(); ++i) {
        const double angle_rad = reduced_angle_sum_rad(std::span(&coordinate, 1),
                                                       spectrum.omega_rad(i).subspan(axis, 1));
        rows.push_back({gain * std::cos(angle_rad), gain * std::sin(angle_rad)});
    }
}

}  // namespace

AxisTablePlan plan_axis_table(const Spectrum& spectrum, const AxisPositions& positions,
                              std::int64_t first, std::int64_t count) {
    AxisTablePlan plan;
    plan.rows.resize(count * positions.axes);
    std::uint32_t next = 0;
    for (std::int64_t axis = 0; axis < positions.axes; ++axis) {
        std::unordered_map<double, std::uint32_t> known;
        for (std::int64_t token = 0; token < count; ++token) {
            const double coordinate = positions.at(axis, first + token);
            const auto [found, added] = known.emplace(coordinate, next);
            if (added) {
                append_coordinate(spectrum, axis, coordinate, plan.coordinates);
                ++next;
            }
            plan.rows[token * positions.axes + axis] = found->second;
        }
    }
    return plan;
}

TablePlan plan_table(const Spectrum& spectrum, std::span<const std::int64_t> positions,
                     double gain) {
    require_one_axis(spectrum);
    TablePlan plan;
    plan.rows.reserve(positions.size());
    PlannedRows blocks(spectrum, gain, plan.blocks), offsets(spectrum, 1.0, plan.offsets);
    for (const std::int64_t position : positions) {
        validate_position(position);
        const std::int64_t offset = position % kBlockRows;  // negative before 0
        plan.rows.push_back({blocks.row_of(position - offset), offsets.row_of(offset)});
    }
    return plan;
}

// Computes the curves of a score or a decay on the device, in double.

namespace {

constexpr std::int64_t kCurveThreads = 64;  ///< local_size_x of the shader

/// [rows, pairs] -> [pairs, rows]: neighbouring threads have neighbouring distances, and then read
/// neighbouring places.
std::vector<Cis> transposed(const std::vector<Cis>& rows, std::int64_t pairs) {
    std::vector<Cis> columns(rows.size());
    const std::int64_t count = std::ssize(rows) / pairs;
    for (std::int64_t i = 0; i < std::ssize(rows); ++i) {
        columns[i % pairs * count + i / pairs] = rows[i];
    }
    return columns;
}

std::vector<Cis> interleaved(const PairWeights& weights) {
    std::vector<Cis> both;
    for (std::size_t i = 0; i < weights.cos.size(); ++i) {
        both.push_back({weights.cos[i], weights.sin[i]});
    }
    return both;
}

}  // namespace

PairCurves pair_curves(Device& device, const Spectrum& spectrum,
                       std::span<const std::int64_t> distances, const PairWeights& weights) {
    constexpr std::int64_t kBytes = sizeof(double);
    const std::int64_t pairs = spectrum.pairs();
    const TablePlan plan = plan_table(spectrum, distances, 1.0);
    PairCurves curves;
    if (distances.empty() || pairs == 0) {
        curves.even.resize(distances.size());
        curves.odd = curves.moduli = curves.even;
        return curves;
    }
    const auto blocks = upload(device.pool, std::span<const Cis>(transposed(plan.blocks, pairs)));
    const auto offsets = upload(device.pool, std::span<const Cis>(transposed(plan.offsets, pairs)));
    const auto rows = upload(device.pool, std::span(plan.rows));
    const auto factors = upload(device.pool, std::span<const Cis>(interleaved(weights)));
    const std::int64_t count = std::ssize(distances);
    const std::array sums = {device.pool.take(count * kBytes), device.pool.take(count * kBytes),
                             device.pool.take(count * kBytes)};
    const std::uint32_t program = device.programs.get("shaders/pair_curves.comp", {});
    // On desktop devices double runs at 1/32 of the speed of fp32.
    const StepCost cost{kBytes, 32.0 * 20.0 * to_double(spectrum.pairs()), 1, kCurveThreads};
    in_parts(
        count, steps_at_once(device.limits, cost, kRowGrain),
        [&](std::int64_t first, std::int64_t some) {
            const auto part = [&](std::size_t sum) {
                return BufferRange{sums[sum]->all().name, first * kBytes, some * kBytes};
            };
            const std::array buffers{blocks->all(), offsets->all(), rows->all(), factors->all(),
                                     part(0),       part(1),        part(2)};
            const PairCurvesParameters parameters{
                .first = to_uint(first),
                .count = to_uint(some),
                .pairs = to_uint(pairs),
                .blocks = to_uint(std::ssize(plan.blocks) / pairs),
                .offsets = to_uint(std::ssize(plan.offsets) / pairs)};
            device.launcher.run(program, buffers, parameters, ceil_divide(some, kCurveThreads));
        });
    const std::array results = {&curves.even, &curves.odd, &curves.moduli};
    for (std::size_t i = 0; i < sums.size(); ++i) {
        results[i]->resize(distances.size());
        device.readback.read(sums[i]->all(), std::as_writable_bytes(std::span(*results[i])));
    }
    return curves;
}

}  // namespace ropescope::gpu
