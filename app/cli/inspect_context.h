// What `inspect --context N` says: whether the sum of cosines stays at or above zero to N, and
// which bases would allow it (core/analysis/base_bound.h).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/base/index.h"
#include "core/formats/model_config.h"

namespace ropescope::cli {

/// Throws InputError if `context` is no length that the positions of the program reach.
void validate_context(Index context);

/// Adds the key "context"; of a model whose layers differ, one to each of its "layer_types".
void add_context(nlohmann::ordered_json& json, const ModelConfig& model, Index context);
std::string context_text(const ModelConfig& model, Index context);

}  // namespace ropescope::cli
