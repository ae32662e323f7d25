// Which row of a rotation table each position of a tensor takes: from position ids, and from cos
// and sin tables that somebody else made.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/rope/rotation_table.h"

namespace ropescope {

/// Position ids of a batch: one list for all, [positions] or [1, positions], or one a batch,
/// [batch, positions]. An empty shape means none were given.
struct PositionIds {
    std::vector<std::int64_t> values;
    std::vector<std::int64_t> shape;
    std::string origin = "positions";  ///< named in messages

    bool given() const { return !shape.empty(); }
};

/// The batch and positions of the tensor that is rotated.
struct SequenceShape {
    std::int64_t batch = 1;
    std::int64_t positions = 0;
};

/// The length that frequencies may depend on (dynamic, LongRoPE): the largest position, moved by
/// `shift`, plus 1, and at least 1. Positions are 0 .. count - 1 when `ids` are none.
/// Source: transformers, dynamic_rope_update, max(position_ids) + 1.
std::int64_t sequence_length(const PositionIds& ids, std::int64_t count, std::int64_t shift = 0);

/// 0, 1, .. count - 1: the rows of a table made for just these places, in their order.
std::vector<std::int64_t> consecutive_rows(std::int64_t count);

/// Throws InputError unless the shape of `ids` is one of the three above and every value lies in
/// [lowest, highest]; the message names the index and the value.
void validate(const PositionIds& ids, SequenceShape sequence, std::int64_t lowest,
              std::int64_t highest);

/// cos and sin as the ONNX RotaryEmbedding operator (opset 23) takes them: [max_position, pairs],
/// where position ids (0 .. when there are none) choose the rows, or [batch or 1, positions,
/// pairs], ready for the tensor, without position ids. They need not be a rotation: cos^2 + sin^2
/// may be anything.
struct GivenTables {
    std::span<const float> cos, sin;
    std::vector<std::int64_t> cos_shape, sin_shape;
    std::string cos_origin = "cos", sin_origin = "sin";
};

/// A table and the row that each position takes, as RotateOptions::rows wants it.
struct TableRows {
    RotationTableView table;
    std::vector<std::int64_t> rows;
};

/// Throws InputError for shapes that disagree with each other or with the tensor, for a table wider
/// than head_dim / 2, and for a position outside the table.
TableRows rows_of_given_tables(const GivenTables& given, const PositionIds& ids,
                               SequenceShape sequence, std::int64_t head_dim);

}  // namespace ropescope
