// Attention on the device: one tiled pass on hardware, a pass for each step in software.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/gpu/encoder_operations.h"
#include "core/gpu/parameters.h"

namespace ropescope::gpu {
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
                const std::array buffers{m_.q.range,       m_.k.range, or_q(m_.v),    or_q(m_.mask),
                                         or_q(m_.context), range,      stats_->all(), log_sums()};
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
        const std::array buffers{scores, or_q(m_.mask), stats_->all(), log_sums()};
        run_rows("shaders/attention_stats.comp", buffers, first, count, ceil_divide(count, 64));
    }
    void probabilities(const BufferRange& scores, const BufferRange& probs, std::int64_t first,
                       std::int64_t count) {
        const std::array buffers{scores, or_q(m_.mask), stats_->all(), probs};
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
                .mask_rows = to_uint(m_.mask.rows / m_.shape.batch),
                .count = to_uint(rows),
                .first_map_row = to_uint(first_row),
                .scale = static_cast<float>(m_.scale)};
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
