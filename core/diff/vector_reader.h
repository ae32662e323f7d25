// Vectors of two dumps at one place, and how far their numbers may be apart.
//
// A number of 8 bits may have been any of the numbers that round to it: its cell, half a step to
// either side, and at the end of the grid all larger ones. The numbers of two right codes before
// that rounding are as far apart as an Allowance says, so what is compared is the distance of the
// two cells; the cell of a number that was not rounded to 8 bits is the number itself.
#pragma once

#include <span>
#include <vector>

#include "core/diagnosis/dump.h"
#include "core/diff/allowance.h"

namespace ropescope::diff {

/// The tensors and the allowance must outlive it.
class VectorReader {
  public:
    VectorReader(const diagnosis::DumpTensor& a, const diagnosis::DumpTensor& b,
                 const Allowance& allowance);

    /// Reads the channels of one head of each.
    void read(Index row, Index token, Index head_a, Index head_b);

    double a(Index channel) const { return x_[channel]; }
    double b(Index channel) const { return y_[channel]; }
    std::span<const double> all_of_a() const { return x_; }
    /// How far a number of A and one of B may be apart; infinite if one was cut to the end of its
    /// grid, and the other is beyond it.
    double allowed(Index of_a, Index of_b) const;

  private:
    const diagnosis::DumpTensor& a_;
    const diagnosis::DumpTensor& b_;
    const Allowance& allowance_;
    std::vector<double> x_, y_, allowed_, sizes_ = {};
    std::vector<diagnosis::RoundedRange> cells_a_ = {}, cells_b_ = {};  ///< empty: no 8 bits
};

}  // namespace ropescope::diff
