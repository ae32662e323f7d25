// The tensors that an encoder is made of: their names in a checkpoint, shapes, and what they are.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/encoder/encoder_config.h"

namespace ropescope {

/// Modules of one layer: `name`.weight and `name`.bias each.
struct LayerNames {
    std::string query, key, value, output;
    std::string attention_norm;
    std::string up, down;
    std::string inner_norm;  ///< the notebook's, inside its feed-forward; else ""
    std::string ffn_norm;
};

/// The same for the rest. "" where the architecture has none.
struct EncoderNames {
    std::string words, types, embedding_norm, project;
    std::string stored_table;  ///< embed_positions
    std::vector<LayerNames> layers;
    std::string transform, transform_norm;
    std::string decoder;
    std::string decoder_bias;  ///< the bias alone, as Hugging Face keeps it besides
};

EncoderNames encoder_names(const EncoderConfig& config);

/// What is expected of one tensor. Random weights are drawn by `kind`.
struct ExpectedTensor {
    enum class Kind { embedding, linear, norm_weight, norm_bias, table };
    std::string name;
    std::vector<std::int64_t> shape;
    Kind kind = Kind::linear;
    std::int64_t inputs = 0;  ///< of a linear layer
    /// May be absent: it is computed, or equal to another one. Counted as a parameter only where it
    /// is one of its own (embed_positions).
    bool optional = false;
    bool counted = true;

    std::int64_t count() const;
};

/// In the order of the forward pass.
std::vector<ExpectedTensor> expected_tensors(const EncoderConfig& config);

/// A stored name as expected_tensors() has it: RoFormerModel's checkpoints leave out the leading
/// "roformer.", old ones say gamma and beta for a norm's weight and bias.
std::string canonical_name(const EncoderConfig& config, std::string_view stored);

}  // namespace ropescope
