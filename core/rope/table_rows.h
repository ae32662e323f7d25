// Finds the row of a rotation table that each position of a tensor takes: from position ids, and
// for tables of cos and sin that a user gives.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/base/index.h"
#include "core/rope/rotation_table.h"

namespace ropescope {

/// Position ids of a tensor: one list for every batch, of shape [positions] or [1, positions], or
/// one list for each, [batch, positions]. An empty shape means that none were given.
struct PositionIds {
    std::vector<Index> values;
    std::vector<Index> shape;
    std::string origin = "positions";  ///< name for messages

    bool given() const { return !shape.empty(); }
};

/// Batch and positions of the tensor to rotate.
struct SequenceShape {
    Index batch = 1;
    Index positions = 0;
};

/// Returns ids 0, 1, ... from an offset on for ids of shape [1] and a tensor of `count` positions;
/// any others as they are. Throws InputError if the offset or the last position is out of range.
/// Source: onnxruntime, com.microsoft.RotaryEmbedding, position_ids of shape (1).
PositionIds with_offset(PositionIds ids, Index count);

/// Returns the sequence length on which the frequencies of dynamic NTK and LongRoPE depend: the
/// largest position plus `shift` plus 1, at least 1. Without `ids` the positions are 0 .. count
/// - 1. Source: Hugging Face transformers, dynamic_rope_update, max(position_ids) + 1.
Index sequence_length(const PositionIds& ids, Index count, Index shift = 0);

/// Returns 0, 1, ..., count - 1: the rows of a table made for these positions in their order.
std::vector<Index> consecutive_rows(Index count);

/// Throws InputError unless the shape of `ids` is one of the three that PositionIds names and every
/// value lies in [lowest, highest]; the message names the index and the value.
void validate(const PositionIds& ids, SequenceShape sequence, Index lowest, Index highest);

/// cos and sin as the ONNX operator RotaryEmbedding (opset 23) takes them. Either [max_position,
/// pairs], from which position ids choose the rows (0, 1, ... if there are none), or [batch or 1,
/// positions, pairs], which has the row of each position already and takes no ids. They need not be
/// a rotation: cos^2 + sin^2 may be any number.
struct GivenTables {
    std::span<const float> cos, sin;
    std::vector<Index> cos_shape, sin_shape;
    std::string cos_origin = "cos", sin_origin = "sin";
};

/// A table and the row of each position, in the form of RotateOptions::rows.
struct TableRows {
    RotationTableView table;
    std::vector<Index> rows;
};

/// Throws InputError unless one of these tables may have this shape for heads of head_dim channels:
/// what can be told before its numbers are read.
void validate_table_shape(const std::vector<Index>& shape, const std::string& origin,
                          Index head_dim);

/// Returns the given tables and the rows to take from them. Throws InputError if the shapes
/// disagree with each other or with the tensor, if the tables are wider than head_dim / 2 pairs,
/// and if a position lies outside of them.
TableRows rows_of_given_tables(const GivenTables& given, const PositionIds& ids,
                               SequenceShape sequence, Index head_dim);

}  // namespace ropescope
