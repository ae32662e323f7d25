// Rotates tensors by a table, head vector by head vector, on several threads.
#include "core/rope/rotate.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/multiversion.h"
#include "core/base/parallel.h"
#include "core/rope/layout.h"

namespace ropescope {
namespace {

/// A thread is given at least this many values: less is not worth waking one.
constexpr Index kValuesPerGrain = 1 << 15;
/// If the positions of a head lie next to each other, this many heads are rotated together. They
/// share a row of the table, and their addresses, often a power of two apart, do not displace each
/// other from the cache.
constexpr Index kHeadsTogether = 2;
/// Head vectors between the one at work and the one that is fetched from memory: at page ends the
/// processor's own prefetch stops.
constexpr Index kFetchAhead = 32;
constexpr Index kFloatsPerCacheLine = 16;

/// `count` head vectors of one token. Each takes the row of the table that lies table_stride behind
/// that of the head before it; 0 if they share one.
struct Heads {
    const float* in;
    float* out;
    Index in_stride;
    Index out_stride;
    const float* cos;
    const float* sin;
    Index table_stride;
    Index count;
    Index ahead;  ///< from a head vector to one that will be needed soon
    float sign;   ///< -1 turns backwards
};

inline void fetch(const float* values, Index count) {
    for (Index c = 0; c < count; c += kFloatsPerCacheLine) {
        __builtin_prefetch(values + c, 1);
    }
}

ROPESCOPE_MULTIVERSION
void rotate_half_split(const Heads& heads, const PairRun& run) {
    const Index pairs = run.count;
    const Index apart = run.second - run.first;
    const float sign = heads.sign;
    for (Index h = 0; h < heads.count; ++h) {
        const float* cos = heads.cos + h * heads.table_stride + run.pair;
        const float* sin = heads.sin + h * heads.table_stride + run.pair;
        const float* in = heads.in + h * heads.in_stride + run.first;
        float* out = heads.out + h * heads.out_stride + run.first;
        fetch(in + heads.ahead, pairs);
        fetch(in + heads.ahead + apart, pairs);
        ROPESCOPE_INDEPENDENT_ITERATIONS
        for (Index i = 0; i < pairs; ++i) {
            const float x = in[i];
            const float y = in[i + apart];
            const float s = sign * sin[i];
            out[i] = x * cos[i] - y * s;
            out[i + apart] = x * s + y * cos[i];
        }
    }
}

ROPESCOPE_MULTIVERSION
void rotate_interleaved(const Heads& heads, const PairRun& run) {
    const Index pairs = run.count;
    const float sign = heads.sign;
    for (Index h = 0; h < heads.count; ++h) {
        const float* cos = heads.cos + h * heads.table_stride + run.pair;
        const float* sin = heads.sin + h * heads.table_stride + run.pair;
        const float* in = heads.in + h * heads.in_stride + run.first;
        float* out = heads.out + h * heads.out_stride + run.first;
        fetch(in + heads.ahead, 2 * pairs);
        ROPESCOPE_INDEPENDENT_ITERATIONS
        for (Index i = 0; i < pairs; ++i) {
            const float x = in[2 * i];
            const float y = in[2 * i + 1];
            const float s = sign * sin[i];
            out[2 * i] = x * cos[i] - y * s;
            out[2 * i + 1] = x * s + y * cos[i];
        }
    }
}

std::vector<PairRun> runs_of(const RotateOptions& options, Index pairs) {
    return options.pairs.empty() ? std::vector{layout_run(options.layout, pairs)}
                                 : pair_runs(options.pairs);
}

/// Channels that lie next to each other.
struct Channels {
    Index first;
    Index count;
};

/// The channels that are in no run.
std::vector<Channels> channels_left(std::span<const PairRun> runs, Index head_dim) {
    std::vector<bool> turns(head_dim, false);
    for (const PairRun& run : runs) {
        const Index step = run.adjacent ? 2 : 1;
        for (Index k = 0; k < run.count; ++k) {
            turns[run.first + step * k] = turns[run.second + step * k] = true;
        }
    }
    std::vector<Channels> left;
    for (Index c = 0; c < head_dim; ++c) {
        if (turns[c]) {
            continue;
        }
        if (c == 0 || turns[c - 1]) {
            left.push_back({c, 0});
        }
        ++left.back().count;
    }
    return left;
}

/// One rotation of a whole tensor; `in` and `out` may be the same memory.
class Rotation {
  public:
    Rotation(TensorView<const float> in, TensorView<float> out, const RotationTableView& table,
             const RotateOptions& options)
        : in_(in),
          out_(out),
          table_(table),
          options_(options),
          runs_(runs_of(options, table.pairs)),
          channels_left_(channels_left(runs_, in.head_dim)) {}

    void run() const {
        if (in_.size() == 0) {
            return;
        }
        const Index values_per_position = in_.heads * in_.head_dim;
        const Index grain = kValuesPerGrain / values_per_position + 1;
        parallel_for(in_.batch * in_.positions, grain, options_.threads,
                     [this](Index begin, Index end) { part(begin, end); });
    }

  private:
    /// Positions [begin, end) of all batches laid end to end.
    void part(Index begin, Index end) const {
        while (begin < end) {
            const Index b = begin / in_.positions;
            const Index l = begin % in_.positions;
            const Index count = std::min(end - begin, in_.positions - l);
            one_batch(b, l, l + count);
            begin += count;
        }
    }

    void one_batch(Index b, Index begin, Index end) const {
        const bool heads_adjoin = std::abs(in_.head_stride) < std::abs(in_.position_stride);
        const Index together = heads_adjoin ? in_.heads : kHeadsTogether;
        const Index ahead = heads_adjoin ? kFetchAhead / in_.heads + 1 : kFetchAhead;
        for (Index h = 0; h < in_.heads; h += together) {
            for (Index l = begin; l < end; ++l) {
                const Index fetched = std::min(l + ahead, end - 1);
                rotate(b, h, l, std::min(together, in_.heads - h), fetched - l);
            }
        }
    }

    /// Rotates heads h .. h + count - 1 at position l, and fetches those that lie `ahead` positions
    /// further.
    void rotate(Index b, Index h, Index l, Index count, Index ahead) const {
        const Index row = table_row(options_.rows, in_.positions, b, l);
        const Index first = (row + h * options_.rows_per_head) * table_.pairs;
        const Heads heads = {.in = in_.row(b, h, l),
                             .out = out_.row(b, h, l),
                             .in_stride = in_.head_stride,
                             .out_stride = out_.head_stride,
                             .cos = table_.cos + first,
                             .sin = table_.sin + first,
                             .table_stride = options_.rows_per_head * table_.pairs,
                             .count = count,
                             .ahead = ahead * in_.position_stride,
                             .sign = options_.direction == Direction::forward ? 1.0F : -1.0F};
        if (row == kNotRotated) {
            pass_on(heads);
            return;
        }
        for (const PairRun& run : runs_) {
            run.adjacent ? rotate_interleaved(heads, run) : rotate_half_split(heads, run);
        }
        if (heads.in != heads.out) {
            pass_through(heads);
        }
    }

    void pass_on(const Heads& heads) const {
        for (Index h = 0; h < heads.count && heads.in != heads.out; ++h) {
            std::copy_n(heads.in + h * heads.in_stride, in_.head_dim,
                        heads.out + h * heads.out_stride);
        }
    }

    void pass_through(const Heads& heads) const {
        for (Index h = 0; h < heads.count; ++h) {
            for (const Channels& rest : channels_left_) {
                std::copy_n(heads.in + h * heads.in_stride + rest.first, rest.count,
                            heads.out + h * heads.out_stride + rest.first);
            }
        }
    }

    TensorView<const float> in_;
    TensorView<float> out_;
    RotationTableView table_;
    RotateOptions options_;
    std::vector<PairRun> runs_;
    std::vector<Channels> channels_left_;
};

/// Throws InputError unless there is a row for every position of every head.
void validate_rows(const TensorView<const float>& x, const RotationTableView& table,
                   const RotateOptions& options) {
    const std::span<const Index> rows = options.rows;
    const Index last_head = (x.heads - 1) * options.rows_per_head;
    if (options.rows_per_head < 0 || (x.heads > 0 && last_head >= table.rows)) {
        throw InputError(
            fmt::format("rows_per_head: {} rows for each of {} heads; the rotation "
                        "table has {} rows, give each head a part of its own",
                        options.rows_per_head, x.heads, table.rows));
    }
    const Index own = table.rows - std::max<Index>(last_head, 0);  // that a row number may name
    if (rows.empty()) {
        if (own < x.positions) {
            throw InputError(
                fmt::format("rotation table: {} rows for {} positions; give a row for "
                            "each position, or row numbers",
                            own, x.positions));
        }
        return;
    }
    const Index size = std::ssize(rows);
    if (size != x.positions && size != x.batch * x.positions) {
        throw InputError(
            fmt::format("rows: {} row numbers for batch {} x positions {}; give {} or "
                        "{}",
                        size, x.batch, x.positions, x.positions, x.batch * x.positions));
    }
    for (Index i = 0; i < size; ++i) {
        if (rows[i] != kNotRotated && (rows[i] < 0 || rows[i] >= own)) {
            throw InputError(
                fmt::format("rows[{}]: {} is not a row of the rotation table; give 0 "
                            "to {}",
                            i, rows[i], own - 1));
        }
    }
}

}  // namespace

void validate_rotation(const TensorView<const float>& x, const RotationTableView& table,
                       const RotateOptions& options) {
    if (table.pairs < 1 || 2 * table.pairs > x.head_dim) {
        throw InputError(
            fmt::format("rotation table: {} pairs do not fit head_dim {}; give 1 to {} pairs",
                        table.pairs, x.head_dim, x.head_dim / 2));
    }
    if (!options.pairs.empty()) {
        if (std::ssize(options.pairs) != table.pairs) {
            throw InputError(
                fmt::format("pairs: {} pairs of channels; the rotation table has {}, "
                            "give one for each",
                            options.pairs.size(), table.pairs));
        }
        validate_pairs(options.pairs, x.head_dim);
    }
    validate_rows(x, table, options);
}

void rotate_in_place(TensorView<float> x, const RotationTableView& table,
                     const RotateOptions& options) {
    validate_rotation(x, table, options);
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
    validate_rotation(in, table, options);
    Rotation(in, out, table, options).run();
}

}  // namespace ropescope
