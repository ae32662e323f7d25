// The weights of an encoder as tensors of an engine, and one forward pass.
#pragma once

#include <vector>

#include "core/encoder/encoder.h"
#include "core/engine/tensor_ops.h"

namespace ropescope {

struct EncoderLayer {
    Linear query, key, value, output;
    Norm attention_norm;
    Linear up, down;
    Norm inner_norm;  ///< of the notebook architecture
    Norm ffn_norm;
};

/// Members that the architecture does not have are empty.
struct Encoder::Model {
    EncoderConfig config;
    std::unique_ptr<TensorOps> ops;  ///< before the tensors, which must be gone when it goes
    DeviceTensor words, types, positions;
    Norm embedding_norm;
    Linear project;
    std::vector<float> stored_table;
    std::vector<float> relative_bias;
    std::vector<EncoderLayer> layers;
    Linear transform;
    Norm transform_norm;
    Linear decoder;
};

/// Does what Encoder::forward() promises.
Trace run_forward(const Encoder::Model& model, const EncoderInput& input,
                  const ForwardOptions& options);

/// Throws InputError unless the ids, types and mask fit the config and each other.
void validate(const EncoderInput& input, const EncoderConfig& config);

}  // namespace ropescope
