// Layers that leave the rotation out, in models that have such layers (SmolLM3, Llama 4).
// Sources: layers_without.cpp, model_config.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/index.h"
#include "core/formats/config_object.h"
#include "core/formats/model_family.h"

namespace ropescope {

/// Their distance if the file does not say it.
inline constexpr Index kUsualNoRopeInterval = 4;

/// Their numbers, from 0: those that the family's list names, else every n-th of `layers`.
std::vector<Index> layers_without_rope(const ConfigObject& config, const ModelFamily& family,
                                       Index layers);

/// The same from the text of a config.json; messages call it `origin`. Throws InputError as
/// parse_model_config() does.
std::vector<Index> layers_without_rope(std::string_view json, const std::string& origin);

}  // namespace ropescope
