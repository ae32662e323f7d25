// Reads vectors and the cells of their numbers.
#include "core/diff/vector_reader.h"

#include <algorithm>
#include <cmath>

namespace ropescope::diff {
namespace {

/// The largest number of a cell that is finite.
double size_in(const diagnosis::RoundedRange& cell, double number) {
    const double low = std::isfinite(cell.low) ? std::abs(cell.low) : 0.0;
    const double high = std::isfinite(cell.high) ? std::abs(cell.high) : 0.0;
    return std::max({std::abs(number), low, high});
}

}  // namespace

VectorReader::VectorReader(const diagnosis::DumpTensor& a, const diagnosis::DumpTensor& b,
                           const Allowance& allowance)
    : a_(a), b_(b), allowance_(allowance), x_(a.channels), y_(a.channels), allowed_(a.channels) {}

void VectorReader::read(Index row, Index token, Index head_a, Index head_b) {
    a_.read(row, head_a, token, x_);
    b_.read(row, head_b, token, y_);
    a_.cells(row, head_a, token, x_, cells_a_);
    b_.cells(row, head_b, token, y_, cells_b_);
    if (cells_a_.empty()) {
        allowance_.write(x_, row, token, allowed_);
        return;
    }
    // Rounding is a share of the number as it was before it got 8 bits.
    sizes_.clear();
    for (std::size_t c = 0; c < x_.size(); ++c) {
        sizes_.push_back(size_in(cells_a_[c], x_[c]));
    }
    allowance_.write(sizes_, row, token, allowed_);
}

double VectorReader::allowed(Index of_a, Index of_b) const {
    double allowed = allowed_[of_a];
    const double x = x_[of_a], y = y_[of_b];
    if (!cells_a_.empty()) {
        allowed += y > x ? cells_a_[of_a].high - x : x - cells_a_[of_a].low;
    }
    if (!cells_b_.empty()) {
        allowed += y > x ? y - cells_b_[of_b].low : cells_b_[of_b].high - y;
    }
    return allowed;
}

}  // namespace ropescope::diff
