// Reads the rotary embedding of a model for programs that use ropescope as a library.
#pragma once

#include <string>

#include "core/models/model.h"

namespace ropescope {

/// Which of a model's embeddings is meant.
struct EmbeddingChoice {
    std::string part = {};        ///< "text", "vision"; empty: text if the model has any
    std::string layer_type = {};  ///< "sliding_attention"; empty: layers with full attention
    Index seq_len = 0;  ///< length on which frequencies may depend, 0 .. kMaxSeqLen; 0: not known
};

/// That part of the model, at that length. Throws InputError that names what there is.
Part chosen_part(const Model& model, const EmbeddingChoice& choice = {});

}  // namespace ropescope
