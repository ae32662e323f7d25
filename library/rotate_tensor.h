// Turns tensors of any of three dtypes in place.
#pragma once

#include <string>

#include "core/formats/tensor.h"
#include "core/models/model.h"
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

// Reads the rotary embedding of a model for programs that use ropescope as a library.

/// Which of a model's embeddings is meant.
struct EmbeddingChoice {
    std::string part = {};        ///< "text", "vision"; empty: text if the model has any
    std::string layer_type = {};  ///< "sliding_attention"; empty: layers with full attention
    Index seq_len = 0;  ///< length on which frequencies may depend, 0 .. kMaxSeqLen; 0: not known
};

/// That part of the model, at that length. Throws InputError that names what there is.
Part chosen_part(const Model& model, const EmbeddingChoice& choice = {});

}  // namespace ropescope
