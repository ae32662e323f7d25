// Turns tensors of any of three dtypes in place.
#pragma once

#include "core/formats/tensor.h"
#include "core/schemes/rotary_scheme.h"

namespace ropescope {

/// A tensor [batch, heads, positions, head_dim] in memory that another object owns; strides in
/// elements.
struct TensorMemory {
    void* data = nullptr;
    Dtype dtype = Dtype::f32;  ///< f32, f16 or bf16
    Index shape[4] = {};
    Index stride[4] = {};
};

/// Positions of the tokens of a tensor: [axes, positions] for all batches or [axes, batch,
/// positions], row-major. Empty: 0, 1, 2, ... in one axis.
using TensorPositions = std::span<const double>;

/// Turns x by the positions. F16 and BF16 are turned in fp32 and rounded once. Throws InputError,
/// before anything is written, if the tensor is not as it must be (its dtype, a negative size, a
/// last stride other than 1, elements that share memory, another head_dim or number of heads than
/// the scheme's) or the positions do not fit it. threads = 0 means default_threads().
void rotate_tensor(const RotaryScheme& scheme, const TensorMemory& x, TensorPositions positions,
                   Direction direction, int threads);

}  // namespace ropescope
