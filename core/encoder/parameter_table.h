// The table of the parameters of a model, as torchinfo.summary prints it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/index.h"
#include "core/encoder/encoder_config.h"

namespace ropescope {

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
