// Rotates queries or keys by a rotation table: the operation that RoPE adds to attention.
#pragma once

#include <span>

#include "core/base/index.h"
#include "core/rope/layout.h"
#include "core/rope/rotation_table.h"
#include "core/rope/tensor_view.h"

namespace ropescope {

/// forward rotates by +angle; inverse by -angle, which is the transpose (used by gradients).
enum class Direction { forward, inverse };

/// Instead of a row of the table: the head vectors of this token stay as they are, to the bit.
inline constexpr Index kNotRotated = -1;

struct RotateOptions {
    Layout layout = Layout::half_split;
    Direction direction = Direction::forward;
    /// Row of the table for position l of batch b. Empty: row l. [positions]: rows[l] in every
    /// batch. [batch, positions]: rows[b * positions + l]. kNotRotated for tokens that do not turn.
    std::span<const Index> rows = {};
    int threads = 0;  ///< 0 means default_threads()
    /// The channels of each pair of the table, if they are not those of `layout`, which then does
    /// not count. Channels of no pair stay as they are.
    std::span<const ChannelPair> pairs = {};
    /// Head h takes the row h * rows_per_head below the one that `rows` names: for tables that hold
    /// a part for each head, where heads turn at different speeds.
    Index rows_per_head = 0;
};

/// The row of the table for position l of batch b, by the rule of RotateOptions::rows.
inline Index table_row(std::span<const Index> rows, Index positions, Index b, Index l) {
    if (rows.empty()) {
        return l;
    }
    return rows[std::ssize(rows) == positions ? l : b * positions + l];
}

/// Throws InputError if the table is wider than head_dim or has too few rows, if `rows` has another
/// size than RotateOptions allows or names a row that the table lacks, and if `pairs` are not those
/// of the table or share channels.
void validate_rotation(const TensorView<const float>& x, const RotationTableView& table,
                       const RotateOptions& options);

/// Rotates every pair (x, y) of the first 2 * table.pairs channels, or of options.pairs, in fp32:
///   x' = x cos - y sin,  y' = x sin + y cos      (RoFormer, eq. 34)
/// All other channels stay as they are. Throws InputError as validate_rotation() does.
void rotate_in_place(TensorView<float> x, const RotationTableView& table,
                     const RotateOptions& options);

/// The same into `out`, which must have the shape of `in`, with any strides, and must not overlap
/// it. Throws InputError also if the shapes differ.
void rotate(TensorView<const float> in, TensorView<float> out, const RotationTableView& table,
            const RotateOptions& options);

}  // namespace ropescope
