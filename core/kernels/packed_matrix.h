// A matrix kept for many products. Sources: packed_matrix.cpp, packed_matrix_eigen.cpp (see
// sgemm.h).
#pragma once

#include <memory>

#include "core/kernels/sgemm.h"

namespace ropescope {

/// A copy of a linear layer's weight W [out, in]. Products with few rows gain most: sgemm() would
/// reorder the weights each time.
class PackedMatrix {
  public:
    explicit PackedMatrix(MatrixView<const float> weight);
    ~PackedMatrix();
    PackedMatrix(PackedMatrix&&) noexcept;
    PackedMatrix& operator=(PackedMatrix&&) noexcept;

    std::int64_t out() const;
    std::int64_t in() const;

    /// The output channels are divided into parts of about equal size, so small that a part stays
    /// in a core's cache while many rows use it. Part p holds channels first_out(p) .. first_out(p
    /// + 1) - 1.
    std::int64_t parts() const;
    std::int64_t first_out(std::int64_t part) const;

    /// Computes the part's columns of y = x W^T, x [rows, in] dense and y [rows, out], on the
    /// calling thread. Several threads may call it at once. Rounding errors as sgemm().
    void multiply(std::int64_t part, MatrixView<const float> x, MatrixView<float> y) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace ropescope
