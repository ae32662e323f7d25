// Finds the rows of a batch that hold numbers.
#include "core/diagnosis/written_rows.h"

#include <algorithm>
#include <vector>

namespace ropescope::diagnosis {
namespace {

bool is_zero_row(const DumpTensor& tensor, Index row) {
    std::vector<double> channels(tensor.channels);
    for (Index h = 0; h < tensor.heads; ++h) {
        for (Index l = 0; l < tensor.length; ++l) {
            tensor.read(row, h, l, channels);
            if (std::ranges::any_of(channels, [](double v) { return v != 0.0; })) {
                return false;
            }
        }
    }
    return true;
}

DumpTensor only_rows(DumpTensor tensor, const RowRange& rows) {
    tensor.data += rows.first * tensor.batch_stride * static_cast<Index>(dtype_size(tensor.dtype));
    tensor.batch = rows.count;
    return tensor;
}

}  // namespace

std::optional<RowRange> written_rows(const DumpSide& side) {
    std::vector<Index> written;
    bool lost = false;
    for (Index row = 0; row < side.after.batch; ++row) {
        if (!is_zero_row(side.after, row)) {
            written.push_back(row);
        } else {
            lost |= !is_zero_row(side.before, row);
        }
    }
    if (!lost || written.empty()) {
        return std::nullopt;
    }
    const RowRange rows{written.front(), std::ssize(written)};
    return written.back() - rows.first + 1 == rows.count ? std::optional(rows) : std::nullopt;
}

DumpSide only_rows(DumpSide side, const RowRange& rows) {
    return {only_rows(side.before, rows), only_rows(side.after, rows)};
}

DumpPositions only_rows(const DumpPositions& positions, const RowRange& rows) {
    if (positions.batch == 1) {
        return positions;
    }
    DumpPositions some{.axes = positions.axes, .batch = rows.count, .length = positions.length};
    for (Index axis = 0; axis < positions.axes; ++axis) {
        for (Index row = rows.first; row < rows.first + rows.count; ++row) {
            for (Index l = 0; l < positions.length; ++l) {
                some.values.push_back(positions.at(axis, row, l));
            }
        }
    }
    return some;
}

}  // namespace ropescope::diagnosis
