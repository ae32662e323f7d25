// The table of a model's parameters, as torchinfo's summary prints it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/encoder/encoder_config.h"

namespace ropescope {

/// "LayerNorm: 3-1" is the first module of depth 3.
struct ParameterRow {
    std::string layer;
    int depth = 0;
    std::vector<std::int64_t> output_shape;  ///< empty: the module has none of its own
    std::optional<std::int64_t> parameters;  ///< none where they are counted in the rows below
};

struct ParameterTable {
    std::vector<ParameterRow> rows;
    std::int64_t total = 0;  ///< a tied tensor counts once
};

/// Rows of the notebook's model exactly as torchinfo.summary (depth 3) gives them for tokens
/// [batch, positions]; those of Hugging Face's by the same rule, a layer as one row.
ParameterTable parameter_table(const EncoderConfig& config, std::int64_t batch,
                               std::int64_t positions);

}  // namespace ropescope
