// Tensors that are computed with must hold numbers.
#pragma once

#include <string>
#include <vector>

#include "core/formats/tensor.h"

namespace ropescope {

/// The values of an F64, F32, F16 or BF16 tensor as fp32. Throws InputError naming `origin`, the
/// index and the value when one is NaN or infinite (an F64 beyond the range of fp32 is), and for
/// integer tensors.
std::vector<float> finite_f32(const TensorBytes& tensor, const std::string& origin);

}  // namespace ropescope
