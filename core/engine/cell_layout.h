// Where the cells of a heat map lie among the numbers of a tensor.
#pragma once

#include <cstdint>

namespace ropescope {

/// Value (row, column) is number first + row * row_step + column * column_step of the tensor. A
/// cell shows the mean (or the largest) of `block` by `block` values.
struct CellLayout {
    std::int64_t first = 0, row_step = 0, column_step = 1;
    /// The value is the angle of the vector (that number, the one after it), -pi .. pi.
    bool angle = false;
    std::int64_t block = 1;
    std::int64_t rows = 0, columns = 0;  ///< values; the last block may be smaller
    bool largest = false;                ///< of the values of a block; otherwise their mean
    bool operator==(const CellLayout&) const = default;
};

}  // namespace ropescope
