// Applying a rotation table to queries or keys.
#pragma once

#include <cstdint>
#include <span>

#include "core/rope/layout.h"
#include "core/rope/rotation_table.h"
#include "core/rope/tensor_view.h"

namespace ropescope {

/// forward rotates by +angle, inverse by -angle (the transpose).
enum class Direction { forward, inverse };

/// How position l of batch b finds its row of the table: `rows` empty: row l; rows.size() ==
/// positions: rows[l] for every batch; rows.size() == batch * positions: rows[b * positions + l].
struct RotateOptions {
    Layout layout = Layout::half_split;
    Direction direction = Direction::forward;
    std::span<const std::int64_t> rows = {};
    int threads = 0;  ///< 0 means default_threads()
};

/// The row of the table for position l of batch b, by the rule of RotateOptions::rows.
inline std::int64_t table_row(std::span<const std::int64_t> rows, std::int64_t positions,
                              std::int64_t b, std::int64_t l) {
    if (rows.empty()) {
        return l;
    }
    return rows[std::ssize(rows) == positions ? l : b * positions + l];
}

/// Throws InputError when the table is wider than head_dim, has too few rows, or a row index is out
/// of range.
void validate_rotation(const TensorView<const float>& x, const RotationTableView& table,
                       std::span<const std::int64_t> rows);

/// For every pair (x, y) of the first 2 * table.pairs channels:
///   x' = x cos - y sin,  y' = x sin + y cos      (RoFormer, eq. 34)
/// Channels from 2 * table.pairs on pass through unchanged. Throws InputError as
/// validate_rotation().
void rotate_in_place(TensorView<float> x, const RotationTableView& table,
                     const RotateOptions& options);

/// The same into `out`, which has the shape of `in` (any strides) and must not overlap it.
void rotate(TensorView<const float> in, TensorView<float> out, const RotationTableView& table,
            const RotateOptions& options);

}  // namespace ropescope
