// Rows of the batch that an implementation never wrote: a kernel that forgets the batch turns the
// first row and leaves zeros behind it (github.com/ml-explore/mlx/issues/3949).
#pragma once

#include <optional>

#include "core/diagnosis/dump.h"

namespace ropescope::diagnosis {

/// Rows of a batch that follow one another.
struct RowRange {
    Index first = 0, count = 0;
};

/// The rows that are not zero behind the rotation, if others are zero there and were not before it;
/// empty if every row was written, or if the written ones do not follow one another.
std::optional<RowRange> written_rows(const DumpSide& side);

/// The same tensors and positions without the other rows.
DumpSide only_rows(DumpSide side, const RowRange& rows);
DumpPositions only_rows(const DumpPositions& positions, const RowRange& rows);

}  // namespace ropescope::diagnosis
