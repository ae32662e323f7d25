// The published models that the program knows by name, in menu order.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/formats/model_config.h"

namespace ropescope {

struct Preset {
    std::string name;         ///< "qwen2-vl-7b"
    std::string title;        ///< "Qwen2-VL 7B, text"
    std::string source;       ///< where its facts are from
    std::string config_json;  ///< keys of the model's own file
};

/// Texts in one axis (assets/presets.json).
const std::vector<Preset>& one_axis_presets();
/// Models that turn in several axes (assets/scheme_presets.json): texts, vision towers, SAM 2,
/// models that make images and videos.
const std::vector<Preset>& several_axes_presets();
/// Either of that name, or of the Hugging Face id from which its facts come, in letters of either
/// case, unless something is at a path of that name; null if there is none.
const Preset* find_preset(std::string_view name);

/// The texts in one axis, read as from their own files.
const std::vector<ModelConfig>& model_presets();

}  // namespace ropescope
