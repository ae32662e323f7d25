// The tensors of an encoder: their names in a checkpoint, shapes and kinds.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/index.h"
#include "core/encoder/encoder_config.h"

namespace ropescope {

/// The modules of one layer. Each has the tensors NAME.weight and NAME.bias.
struct LayerTensorNames {
    std::string query, key, value, output;
    std::string attention_norm;
    std::string up, down;
    std::string inner_norm;  ///< inside the feed-forward of the notebook; "" in hugging_face
    std::string ffn_norm;
};

/// The modules of a model; "" for those that the architecture does not have.
struct EncoderNames {
    std::string words, types, embedding_norm, project;
    std::string positions;      ///< of learned positions, as BERT names them
    std::string relative_bias;  ///< of T5, one for all layers
    std::string stored_table;   ///< embed_positions
    std::vector<LayerTensorNames> layers;
    std::string transform, transform_norm;
    std::string decoder;
    std::string decoder_bias;  ///< tensor of the bias alone, as Hugging Face keeps it
};

EncoderNames encoder_names(const EncoderConfig& config);

/// A tensor that a model needs. `kind` decides how random weights are drawn.
struct ExpectedTensor {
    enum class Kind { embedding, linear, norm_weight, norm_bias, table };
    std::string name;
    std::vector<Index> shape;
    Kind kind = Kind::linear;
    Index inputs = 0;  ///< of a linear layer, else 0
    /// May be missing in a checkpoint, because it can be computed or equals another tensor.
    bool optional = false;
    bool counted = true;  ///< as parameters; false if it is the same tensor as another

    Index count() const;  ///< number of values
};

/// Returns all tensors of a model in the order of the forward pass.
std::vector<ExpectedTensor> expected_tensors(const EncoderConfig& config);

/// Returns the name in expected_tensors() for a name in a checkpoint. Checkpoints of RoFormerModel
/// leave out the leading "roformer."; old ones say gamma and beta for weight and bias of a norm.
std::string canonical_name(const EncoderConfig& config, std::string_view stored);

// The table of the parameters of a model, as torchinfo.summary prints it.

/// One module. `layer` is its name in the manner of torchinfo: "LayerNorm: 3-1" is the first of
/// depth 3.
struct ParameterRow {
    std::string layer;
    int depth = 0;
    std::vector<Index> output_shape;  ///< empty if the module has no output of its own
    std::optional<Index> parameters;  ///< empty if the rows below count them
};

struct ParameterTable {
    std::vector<ParameterRow> rows;
    Index total = 0;  ///< parameters of the model; a tied tensor counts once
};

/// Returns the table for tokens [batch, positions]. The rows of the RoFormer notebook's model are
/// exactly those of torchinfo.summary with depth 3; those of Hugging Face's follow the same rule,
/// with one row for a layer.
ParameterTable parameter_table(const EncoderConfig& config, Index batch, Index positions);

}  // namespace ropescope
