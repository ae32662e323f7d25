// Memory of an array of NumPy, PyTorch, JAX, ... that a call may write to.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <vector>

#include "core/base/index.h"
#include "core/formats/tensor.h"

namespace ropescope {

/// Holds the memory of an array as long as it lives.
struct BorrowedTensor {
    void* data = nullptr;
    Dtype dtype = Dtype::f32;
    std::vector<Index> shape;
    std::vector<Index> stride;          ///< in elements
    std::shared_ptr<const void> owner;  ///< lets go of the array
};

/// Borrows the memory of `array` without a copy: through the buffer protocol, or else through DLPack,
/// which knows bf16 too. Throws InputError, with the remedy, for what is no array of numbers, lies on
/// another device, may not be written to, or takes part in a gradient.
BorrowedTensor borrow(const pybind11::object& array);

}  // namespace ropescope
