// A matrix that is multiplied with again and again, kept in the order in which oneDNN reads it.
#pragma once

#include <memory>

#include "core/kernels/sgemm.h"

namespace ropescope {

/// A copy of a linear layer's weight W [out, in]. Products of few rows gain most: sgemm() brings
/// the weights into that order each time.
class PackedMatrix {
  public:
    explicit PackedMatrix(MatrixView<const float> weight);
    ~PackedMatrix();
    PackedMatrix(PackedMatrix&&) noexcept;
    PackedMatrix& operator=(PackedMatrix&&) noexcept;

    std::int64_t out() const;
    std::int64_t in() const;

    /// y = x W^T, x [rows, in] and y [rows, out] dense, on the calling thread alone; several
    /// threads may call it at once. Errors as sgemm().
    void multiply(MatrixView<const float> x, MatrixView<float> y) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace ropescope
