// What comparing the numbers of a tensor one after the other adds up to.
// Source: tensor_difference.cpp.
#pragma once

#include <vector>

#include "core/diff/tensor_difference.h"

namespace ropescope::diff {

/// Of all vectors, or of those that one thread compares.
class Tally {
  public:
    /// The sizes of the tensor.
    explicit Tally(const diagnosis::DumpTensor& tensor);

    /// Two numbers that are not the same bit for bit.
    void add(const NumberPair& numbers);
    /// A vector whose numbers were added, if any of them differs beyond its allowance.
    void count_vector() { ++found_.different; }
    /// The part of the smaller spot wins where both are alike, so that threads do not show.
    void add(const Tally& other);

    /// All of a tensor with so many vectors.
    TensorDifference result(std::string name, Index vectors) const;

  private:
    TensorDifference found_ = {};
    std::vector<char> rows_, tokens_, heads_, channels_;
};

}  // namespace ropescope::diff
