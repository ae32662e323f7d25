// Matrix products on the device, in tiles.
#include "core/gpu/encoder_operations.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "core/base/error.h"
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

// Layer norm, sums and gathering on the device.

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

// Attention on the device: one tiled pass on hardware, a pass for each step in software.

namespace {

constexpr std::int64_t kScoreBytes = sizeof(float);
constexpr std::int64_t kBlock = 64;         ///< queries of a group of attention_tiled
constexpr std::int64_t kMostHeadDim = 256;  ///< whose values fit the shared memory there

/// One attention, and its temporary memory.
class Attention {
  public:
    Attention(Device& device, const AttentionMatrices& matrices)
        : device_(device),
          m_(matrices),
          length_(m_.shape.positions),
          rows_(m_.shape.batch * m_.shape.heads * length_),
          width_(m_.shape.head_dim % 4 == 0 ? 4 : 1),
          stats_(device.pool.take(rows_ * 2 * kScoreBytes)),
          spare_log_sums_(m_.log_sums.rows > 0 ? nullptr : device.pool.take(rows_ * kScoreBytes)) {}

    void run() {
        const bool tiled = !device_.limits.software && m_.shape.head_dim <= kMostHeadDim;
        tiled ? run_tiled() : run_in_steps();
    }

  private:
    void run_tiled() {
        // Wanted scores go to their own tensor, or to that of the probabilities made from them.
        const Matrix& scores = m_.scores.rows > 0 ? m_.scores : m_.probs;
        const bool keep = scores.rows > 0;
        const std::uint32_t program =
            device_.programs.get("shaders/attention_tiled.comp",
                                 {fmt::format("WIDTH {}", width_), fmt::format("SCORES {:d}", keep),
                                  fmt::format("CONTEXT {:d}", m_.context.rows > 0),
                                  fmt::format("VALUES {}", values_of_thread())});
        const std::int64_t blocks = ceil_divide(length_, kBlock);
        const StepCost cost{keep ? kBlock * length_ * kScoreBytes : kScoreBytes,
                            4.0 * to_double(kBlock * length_ * m_.shape.head_dim), 1, 1};
        // One less than fits: a range may begin a little before its rows (window()).
        const std::int64_t at_once =
            std::max<std::int64_t>(steps_at_once(device_.limits, cost, 1) - 1, 1);
        in_parts(
            m_.shape.batch * m_.shape.heads * blocks, at_once,
            [&](std::int64_t first, std::int64_t count) {
                const std::int64_t first_row = row_of_block(first, blocks);
                const std::int64_t end_row = row_of_block(first + count, blocks);
                const auto [range, skip] =
                    keep ? window(scores, first_row, end_row - first_row) : Window{m_.q.range, 0};
                AttentionParameters parameters = parameters_for(first_row, end_row - first_row);
                parameters.first = to_uint(first);
                parameters.map_skip = to_uint(skip);
                const std::array buffers{m_.q.range,     m_.k.range,       or_q(m_.v),
                                         or_q(m_.added), or_q(m_.context), range,
                                         stats_->all(),  log_sums()};
                device_.launcher.run(program, buffers, parameters, count);
            });
        if (m_.probs.rows > 0) {
            const StepCost row{length_ * kScoreBytes, 24.0 * to_double(length_), length_, 256};
            in_parts(rows_, steps_at_once(device_.limits, row, kRowGrain),
                     [&](std::int64_t first, std::int64_t count) {
                         probabilities(scores.part(first, count).range,
                                       m_.probs.part(first, count).range, first, count);
                     });
        }
    }

    void run_in_steps() {
        const StepCost row{length_ * kScoreBytes, 4.0 * to_double(length_ * m_.shape.head_dim),
                           length_, 64};
        const std::int64_t at_once = steps_at_once(device_.limits, row, kRowGrain);
        const auto spare = device_.pool.take(std::min(at_once, rows_) * length_ * kScoreBytes);
        in_parts(rows_, at_once, [&](std::int64_t first, std::int64_t count) {
            const auto place = [&](const Matrix& wanted, const BufferRange& otherwise) {
                return wanted.rows > 0 ? wanted.part(first, count).range : otherwise;
            };
            const BufferRange spare_part{spare->all().name, 0, count * length_ * kScoreBytes};
            const BufferRange probs = place(m_.probs, spare_part);
            const BufferRange scores = place(m_.scores, probs);
            raw_scores(scores, first, count);
            statistics(scores, first, count);
            if (m_.probs.rows > 0 || m_.context.rows > 0) {
                probabilities(scores, probs, first, count);
            }
            if (m_.context.rows > 0) {
                weighted_values(probs, first, count);
            }
        });
    }

    void raw_scores(const BufferRange& scores, std::int64_t first, std::int64_t count) {
        const std::array buffers{m_.q.range, m_.k.range, scores};
        run_rows("shaders/attention_scores.comp", buffers, first, count,
                 ceil_divide(count * ceil_divide(length_, 4), 64));
    }
    void statistics(const BufferRange& scores, std::int64_t first, std::int64_t count) {
        const std::array buffers{scores, or_q(m_.added), stats_->all(), log_sums()};
        run_rows("shaders/attention_stats.comp", buffers, first, count, ceil_divide(count, 64));
    }
    void probabilities(const BufferRange& scores, const BufferRange& probs, std::int64_t first,
                       std::int64_t count) {
        const std::array buffers{scores, or_q(m_.added), stats_->all(), probs};
        run_rows("shaders/attention_probs.comp", buffers, first, count,
                 ceil_divide(count * length_, 256));
    }
    void weighted_values(const BufferRange& probs, std::int64_t first, std::int64_t count) {
        const std::array buffers{probs, m_.v.range, m_.context.range};
        run_rows("shaders/attention_context.comp", buffers, first, count,
                 ceil_divide(count * m_.shape.head_dim / width_, 64));
    }
    void run_rows(const char* path, std::span<const BufferRange> buffers, std::int64_t first,
                  std::int64_t count, std::int64_t groups) {
        device_.launcher.run(device_.programs.get(path, {fmt::format("WIDTH {}", width_)}), buffers,
                             parameters_for(first, count), groups);
    }

    AttentionParameters parameters_for(std::int64_t first_row, std::int64_t rows) const {
        return {.positions = to_uint(length_),
                .heads = to_uint(m_.shape.heads),
                .head_dim = to_uint(m_.shape.head_dim),
                .added = m_.added.rows > 0 ? 1U : 0U,
                .count = to_uint(rows),
                .first_map_row = to_uint(first_row),
                .scale = static_cast<float>(m_.scale),
                .added_sample = to_uint(m_.added_steps.sample),
                .added_head = to_uint(m_.added_steps.head),
                .added_query = to_uint(m_.added_steps.query)};
    }

    /// Blocks of 64 channels, of which a thread has 4 each: 1, 2 or 4.
    int values_of_thread() const {
        return m_.shape.head_dim <= 64 ? 1 : m_.shape.head_dim <= 128 ? 2 : 4;
    }

    /// The first row of a block in the maps; the last block of a head may be short.
    std::int64_t row_of_block(std::int64_t block, std::int64_t blocks) const {
        return block / blocks * length_ + std::min(block % blocks * kBlock, length_);
    }

    /// Rows of a map from any row on. A range can only begin at a multiple of the device's
    /// alignment, so it may begin `skip` floats before them.
    struct Window {
        BufferRange range;
        std::int64_t skip;
    };
    Window window(const Matrix& map, std::int64_t first, std::int64_t count) const {
        BufferRange range = map.part(first, count).range;
        const std::int64_t surplus = range.offset_bytes % device_.limits.storage_alignment;
        range.offset_bytes -= surplus;
        range.bytes += surplus;
        return {range, surplus / kScoreBytes};
    }

    /// Stands in for a matrix that is missing: the shader does not read it, but something must be
    /// bound.
    BufferRange or_q(const Matrix& matrix) const {
        return matrix.rows > 0 ? matrix.range : m_.q.range;
    }
    BufferRange log_sums() const {
        return spare_log_sums_ ? spare_log_sums_->all() : m_.log_sums.range;
    }

    Device& device_;
    const AttentionMatrices& m_;
    std::int64_t length_;
    std::int64_t rows_;
    std::int64_t width_;
    std::shared_ptr<GlBuffer> stats_;
    std::shared_ptr<GlBuffer> spare_log_sums_;
};

}  // namespace

void attention(Device& device, const AttentionMatrices& matrices) {
    Attention(device, matrices).run();
}

}  // namespace ropescope::gpu
