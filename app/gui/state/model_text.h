// A model in words, for the bar and the menu.
#pragma once

#include <string>

#include "app/scene/scene.h"
#include "core/formats/model_config.h"

namespace ropescope::gui {

/// "Llama 2 7B", or the name of the folder that holds the config.json.
std::string model_title(const Scene& scene);
/// "head_dim 128 · base 10 000 · half-split"
std::string encoding_facts(const Scene& scene);
/// True when the scene's encoding is no longer the preset's.
bool differs_from_preset(const Scene& scene);
/// The same words for an entry of the menu.
std::string model_facts(const ModelConfig& model);

/// "half_split" as people write it: "half-split"; words of the field (head_dim, inv_freq) stay.
std::string spoken(std::string_view name, char between = '-');

}  // namespace ropescope::gui
