// Which family a config.json belongs to. Sources: family_of.cpp, no_rope.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/formats/config_object.h"
#include "core/formats/model_family.h"

namespace ropescope {

/// Whether the file has the arguments of the notebook encoder, which name no type.
bool is_notebook(const ConfigObject& config);

/// The family that model_type names; for other types one that is inferred from the file's rotary
/// keys, which is appended to `assumptions`. Throws InputError if the model has no RoPE.
ModelFamily family_of(const ConfigObject& config, std::vector<std::string>& assumptions);

/// What such a family has instead, as the rest of a sentence; empty for any other type.
std::string_view positions_without_rope(std::string_view model_type);

}  // namespace ropescope
