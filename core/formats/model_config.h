// What a Hugging Face config.json, or one of our presets, says about a model's rotary embedding.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/rope/rope_spec.h"

namespace ropescope {

/// The layers of one attention type, in models that turn them at different speeds.
struct LayerRope {
    std::string layer_type;  ///< "full_attention", "sliding_attention"
    int layers = 0;          ///< how many of the model's layers; 0 when the file does not say
    RopeSpec rope;
};

struct ModelConfig {
    std::string id;                      ///< preset id ("llama-2-7b") or path of the file
    std::string title;                   ///< "Llama 2 7B"
    std::string model_type;              ///< Hugging Face's model_type
    RopeSpec rope;                       ///< of the layers with full attention, where layers differ
    std::vector<LayerRope> layer_ropes;  ///< empty where all layers turn alike
    std::int64_t max_positions = 0;      ///< trained context, 0 when the file does not say
    int n_heads = 0;
    int n_kv_heads = 0;
    int n_layers = 0;
    std::vector<std::string> assumptions;  ///< what was not in the file and had to be assumed
    std::string source;                    ///< where a preset's facts come from
};

/// The published models in assets/presets.json, in menu order.
const std::vector<ModelConfig>& model_presets();
/// By id; throws InputError that names near matches.
const ModelConfig& model_preset(std::string_view id);

/// Reads a config.json (or the folder that holds one): the families of model_family.cpp in their
/// own words, any other by its rotary keys, and says what was assumed. Every error names the file,
/// the key and the expected form.
ModelConfig read_model_config(const std::filesystem::path& path);
ModelConfig parse_model_config(std::string_view json, const std::string& origin);

}  // namespace ropescope
