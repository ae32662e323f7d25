// The rows that the code of a text takes from its position table, and the angles in them. A table
// grows row by row from position 0, so only the rows that are read need to be formed.
#pragma once

#include "core/systems/system.h"

namespace ropescope::systems {

/// Positions in the shape in which the code reads them: [rows], or [batch, seq] by ids.
struct PositionRows {
    nd::Shape shape;
    std::vector<std::int64_t> positions;
};

/// table[begin:end] of a table with input.table_rows rows: clipped as Python clips.
PositionRows sliced_rows(const SystemInput& input, std::int64_t begin, std::int64_t end);

/// table[ids], ids being input.positions or offset .. offset + seq - 1. Negative ids count from the
/// end. Fault::index beyond the table.
PositionRows indexed_rows(const SystemInput& input, std::int64_t seq);

/// Throws Fault::argument if there are ids, for code that has no parameter for them.
void refuse_position_ids(const SystemInput& input);

/// 1 / base^(arange(0, dim, 2)[:pairs] / dim) in the angle's dtype, as all five texts form it.
/// `pairs` < 0 keeps all of arange (one more than dim / 2 when dim is odd).
nd::Array inverse_frequencies(const SystemInput& input, double base, std::int64_t dim,
                              std::int64_t pairs = -1);

/// The outer product of the rows' positions and the frequencies: shape rows.shape + [pairs].
nd::Array angles_rad(const PositionRows& rows, const nd::Array& inverse_frequencies);

nd::Array cosine(const nd::Array& angles);
nd::Array sine(const nd::Array& angles);

}  // namespace ropescope::systems
