#include "core/rope/rotate.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/multiversion.h"
#include "core/base/parallel.h"

namespace ropescope {
namespace {

/// A thread is given at least this many values: less is not worth waking one.
constexpr std::int64_t kValuesPerGrain = 1 << 15;
/// Positions of one head that are rotated before the next head: their part of the table, 64 KiB at
/// 64 pairs, stays in the second-level cache for all heads.
constexpr std::int64_t kRun = 128;

/// `count` head vectors, one row of the table each (table_stride = pairs) or all the same row
/// (table_stride = 0).
struct Rows {
    const float* in;
    float* out;
    std::int64_t in_stride;
    std::int64_t out_stride;
    const float* cos;
    const float* sin;
    std::int64_t table_stride;
    std::int64_t count;
    std::int64_t pairs;
    float sign;  ///< -1 turns backwards
};

ROPESCOPE_MULTIVERSION
void rotate_half_split(const Rows& rows) {
    const std::int64_t pairs = rows.pairs;
    const float sign = rows.sign;
    for (std::int64_t r = 0; r < rows.count; ++r) {
        const float* in = rows.in + r * rows.in_stride;
        float* out = rows.out + r * rows.out_stride;
        const float* cos = rows.cos + r * rows.table_stride;
        const float* sin = rows.sin + r * rows.table_stride;
        ROPESCOPE_INDEPENDENT_ITERATIONS
        for (std::int64_t i = 0; i < pairs; ++i) {
            const float x = in[i];
            const float y = in[i + pairs];
            const float s = sign * sin[i];
            out[i] = x * cos[i] - y * s;
            out[i + pairs] = x * s + y * cos[i];
        }
    }
}

ROPESCOPE_MULTIVERSION
void rotate_interleaved(const Rows& rows) {
    const std::int64_t pairs = rows.pairs;
    const float sign = rows.sign;
    for (std::int64_t r = 0; r < rows.count; ++r) {
        const float* in = rows.in + r * rows.in_stride;
        float* out = rows.out + r * rows.out_stride;
        const float* cos = rows.cos + r * rows.table_stride;
        const float* sin = rows.sin + r * rows.table_stride;
        ROPESCOPE_INDEPENDENT_ITERATIONS
        for (std::int64_t i = 0; i < pairs; ++i) {
            const float x = in[2 * i];
            const float y = in[2 * i + 1];
            const float s = sign * sin[i];
            out[2 * i] = x * cos[i] - y * s;
            out[2 * i + 1] = x * s + y * cos[i];
        }
    }
}

void require_table(const TensorView<const float>& x, const RotationTableView& table,
                   std::span<const std::int64_t> rows) {
    if (table.pairs < 1 || 2 * static_cast<std::int64_t>(table.pairs) > x.head_dim) {
        throw InputError(
            fmt::format("rotation table: {} pairs do not fit head_dim {}; give 1 to {} pairs",
                        table.pairs, x.head_dim, x.head_dim / 2));
    }
    if (rows.empty()) {
        if (table.rows < x.positions) {
            throw InputError(
                fmt::format("rotation table: {} rows for {} positions; give a row for "
                            "each position, or row numbers",
                            table.rows, x.positions));
        }
        return;
    }
    const auto size = static_cast<std::int64_t>(rows.size());
    if (size != x.positions && size != x.batch * x.positions) {
        throw InputError(
            fmt::format("rows: {} row numbers for batch {} x positions {}; give {} or "
                        "{}",
                        size, x.batch, x.positions, x.positions, x.batch * x.positions));
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i] < 0 || rows[i] >= table.rows) {
            throw InputError(
                fmt::format("rows[{}]: {} is not a row of the rotation table; give 0 "
                            "to {}",
                            i, rows[i], table.rows - 1));
        }
    }
}

/// One rotation of a whole tensor; `in` and `out` may be the same memory.
class Rotation {
  public:
    Rotation(TensorView<const float> in, TensorView<float> out, const RotationTableView& table,
             const RotateOptions& options)
        : in_(in), out_(out), table_(table), options_(options) {}

    void run() const {
        const std::int64_t values_per_position =
            std::max<std::int64_t>(in_.heads * in_.head_dim, 1);
        const std::int64_t grain = kValuesPerGrain / values_per_position + 1;
        parallel_for(in_.batch * in_.positions, grain, options_.threads,
                     [this](std::int64_t begin, std::int64_t end) { part(begin, end); });
    }

  private:
    /// Positions [begin, end) of all batches laid end to end.
    void part(std::int64_t begin, std::int64_t end) const {
        const bool heads_adjoin = std::abs(in_.head_stride) < std::abs(in_.position_stride);
        while (begin < end) {
            const std::int64_t b = begin / in_.positions;
            const std::int64_t l = begin % in_.positions;
            const std::int64_t most = std::min(end - begin, in_.positions - l);
            const std::int64_t run = heads_adjoin ? 1 : run_length(b, l, std::min(most, kRun));
            if (run == 1) {
                rotate(b, 0, l, table_row(b, l), 0, in_.heads);
            } else {
                for (std::int64_t h = 0; h < in_.heads; ++h) {
                    rotate(b, h, l, table_row(b, l), table_.pairs, run);
                }
            }
            begin += run;
        }
    }

    std::int64_t table_row(std::int64_t b, std::int64_t l) const {
        const auto rows = options_.rows;
        if (rows.empty()) {
            return l;
        }
        const bool per_batch = static_cast<std::int64_t>(rows.size()) != in_.positions;
        return rows[static_cast<std::size_t>(per_batch ? b * in_.positions + l : l)];
    }

    /// How many positions from l on use successive rows of the table.
    std::int64_t run_length(std::int64_t b, std::int64_t l, std::int64_t most) const {
        if (options_.rows.empty()) {
            return most;
        }
        const std::int64_t first = table_row(b, l);
        std::int64_t run = 1;
        while (run < most && table_row(b, l + run) == first + run) {
            ++run;
        }
        return run;
    }

    /// `count` head vectors from (b, h, l) on: along positions where each has its own row of the
    /// table, along heads where they share one (table_stride 0).
    void rotate(std::int64_t b, std::int64_t h, std::int64_t l, std::int64_t row,
                std::int64_t table_stride, std::int64_t count) const {
        const bool along_heads = table_stride == 0;
        const Rows rows = {.in = in_.row(b, h, l),
                           .out = out_.row(b, h, l),
                           .in_stride = along_heads ? in_.head_stride : in_.position_stride,
                           .out_stride = along_heads ? out_.head_stride : out_.position_stride,
                           .cos = table_.cos + row * table_.pairs,
                           .sin = table_.sin + row * table_.pairs,
                           .table_stride = table_stride,
                           .count = count,
                           .pairs = table_.pairs,
                           .sign = options_.direction == Direction::forward ? 1.0F : -1.0F};
        options_.layout == Layout::half_split ? rotate_half_split(rows) : rotate_interleaved(rows);
        if (rows.in != rows.out) {
            pass_through(rows);
        }
    }

    void pass_through(const Rows& rows) const {
        const std::int64_t rotated = 2 * rows.pairs;
        for (std::int64_t r = 0; r < rows.count && rotated < in_.head_dim; ++r) {
            const float* rest = rows.in + r * rows.in_stride + rotated;
            std::copy_n(rest, in_.head_dim - rotated, rows.out + r * rows.out_stride + rotated);
        }
    }

    TensorView<const float> in_;
    TensorView<float> out_;
    RotationTableView table_;
    RotateOptions options_;
};

}  // namespace

void rotate_in_place(TensorView<float> x, const RotationTableView& table,
                     const RotateOptions& options) {
    require_table(x, table, options.rows);
    Rotation(x, x, table, options).run();
}

void rotate(TensorView<const float> in, TensorView<float> out, const RotationTableView& table,
            const RotateOptions& options) {
    if (in.batch != out.batch || in.heads != out.heads || in.positions != out.positions ||
        in.head_dim != out.head_dim) {
        throw InputError(fmt::format(
            "rotate: output shape [{}, {}, {}, {}] is not the input's [{}, {}, {}, {}]; give both "
            "the same",
            out.batch, out.heads, out.positions, out.head_dim, in.batch, in.heads, in.positions,
            in.head_dim));
    }
    require_table(in, table, options.rows);
    Rotation(in, out, table, options).run();
}

}  // namespace ropescope
