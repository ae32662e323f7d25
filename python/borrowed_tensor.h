// Memory of an array of NumPy, PyTorch, JAX, ... that a call reads or writes.
#pragma once

#include <memory>
#include <pybind11/pybind11.h>
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

/// What is to be done with it: `read_coarse` reads FP8 and int8, too.
enum class Access { read, read_coarse, write };

/// Borrows the memory of `array`, which messages call `name`, without a copy: through the buffer
/// protocol, or else through DLPack, which knows bf16 too. Throws InputError, with the remedy, for
/// what is not an array of numbers, lies on another device, or takes part in a gradient; to be
/// written to also for F64 and for what may not be written to.
BorrowedTensor borrow(const pybind11::object& array, const std::string& name, Access access);

}  // namespace ropescope
