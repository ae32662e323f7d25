// A tensor in memory of a caller, and its values in order.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/index.h"
#include "core/formats/tensor.h"

namespace ropescope {

/// A tensor in memory of a caller, of any strides: negative ones, gaps and shared elements too.
struct LentTensor {
    std::string name;
    const void* data = nullptr;
    Dtype dtype = Dtype::f32;
    std::vector<Index> shape;
    std::vector<Index> stride;  ///< in elements, one for each axis
};

/// No tensor reaches over more bytes: addresses of today's machines have at most 57 bits, and those
/// of a program half of them.
inline constexpr Index kMostBytesReached = Index{1} << 56;

/// The values where they lie, if they lie dense and row by row. Throws InputError that begins with
/// `origin` and names the tensor for negative sizes, for more values than memory can hold, and for
/// null in place of memory.
std::optional<TensorBytes> dense_bytes(const LentTensor& tensor, const std::string& origin);

/// A dense copy. Throws as dense_bytes() does.
Tensor dense_copy(const LentTensor& tensor, const std::string& origin);

}  // namespace ropescope
