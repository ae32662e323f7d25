// The step from a config.json's keys to RopeSpecs: one for the model, or one for each type of
// layer.
#pragma once

#include "core/formats/config_object.h"
#include "core/formats/model_config.h"
#include "core/formats/model_family.h"

namespace ropescope {

/// Where the family keeps what concerns attention: an object of its own, or the file itself.
ConfigObject attention_object(const ConfigObject& config, const ModelFamily& family);

/// Sets model.rope and model.layer_ropes and appends to model.assumptions; n_heads, n_layers and
/// max_positions are read before.
void read_rope(const ConfigObject& config, const ModelFamily& family, ModelConfig& model);

}  // namespace ropescope
