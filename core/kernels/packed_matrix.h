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

    /// The output channels are kept in parts of about equal size, small enough that a part stays
    /// in a core's cache while rows pass by; part p holds channels first_out(p) to first_out(p +
    /// 1).
    std::int64_t parts() const;
    std::int64_t first_out(std::int64_t part) const;

    /// The part's columns of y = x W^T, x [rows, in] dense and y [rows, out], on the calling thread
    /// alone; several threads may call it at once. Errors as sgemm().
    void multiply(std::int64_t part, MatrixView<const float> x, MatrixView<float> y) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace ropescope
