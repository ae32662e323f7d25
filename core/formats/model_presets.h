// The published models that the program knows by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/formats/model_config.h"

namespace ropescope {

/// The models of assets/presets.json, in menu order.
const std::vector<ModelConfig>& model_presets();
/// Null if no preset has this id.
const ModelConfig* find_model_preset(std::string_view id);
/// By id. Throws InputError that names near matches.
const ModelConfig& model_preset(std::string_view id);

/// The keys of the model's own config.json. Throws InputError as model_preset() does.
std::string preset_config_json(std::string_view id);

}  // namespace ropescope
