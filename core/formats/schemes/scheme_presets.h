// Published models that turn in several axes (assets/scheme_presets.json).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/config_text.h"
#include "core/formats/schemes/model_schemes.h"

namespace ropescope {

/// A part of a published model. Models whose frequencies are learned (RoPE-ViT mixed) are not among
/// them: their frequencies are in their weights.
struct SchemePreset {
    std::string name;         ///< "qwen2-vl-7b"
    std::string title;        ///< "Qwen2-VL 7B, text"
    std::string source;       ///< where its facts are from
    std::string part;         ///< "text" or "vision"
    std::string config_json;  ///< keys of the model's own file
};

/// In menu order: texts, vision towers, SAM 2, models that make images and videos.
const std::vector<SchemePreset>& scheme_presets();
/// Null if no preset has this name.
const SchemePreset* find_scheme_preset(std::string_view name);

/// The part that the preset is about, read as from the model's own file. Throws InputError that
/// names the key if the reader refuses it.
ModelScheme scheme_of_preset(const SchemePreset& preset);

/// The file of the preset of that name; empty if there is none, and the name may be a path. Throws
/// InputError with near matches if there is neither preset nor path, and the name looks like none.
std::optional<ConfigText> config_of_preset(const std::string& name_or_path);

}  // namespace ropescope
