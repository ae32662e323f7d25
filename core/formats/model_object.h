// The step that config.json files and presets share: from a parsed object to a ModelConfig.
#pragma once

#include <string>

#include "core/formats/config_object.h"
#include "core/formats/model_config.h"

namespace ropescope {

/// id is `origin`; messages start as `config` says.
ModelConfig read_model_object(ConfigObject config, const std::string& origin);

}  // namespace ropescope
