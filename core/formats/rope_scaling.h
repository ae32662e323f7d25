// `rope_scaling` of a config.json, or `rope_parameters` as transformers 5 calls it: from its keys
// to a Scaling, and back to keys that can be pasted into a config.json.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/index.h"
#include "core/formats/config_object.h"
#include "core/scaling/scaling.h"

namespace ropescope {

/// What the rest of the file says that the scaling depends on.
struct ScalingSurroundings {
    std::int64_t max_positions = 0;  ///< max_position_embeddings, 0 when the file does not say
    /// original_max_position_embeddings beside rope_scaling, as Phi-3 has it; it goes before the
    /// one inside (transformers: standardize_rope_params).
    std::optional<std::int64_t> original_positions;
    std::int64_t usual_original = 0;              ///< the family's, if the file says neither
    std::optional<double> partial_rotary_factor;  ///< of the whole file; proportional reads it
    bool scales_softmax = false;                  ///< DeepSeek's mscale_all_dim
    bool mscale_by_length = false;                ///< Phi-3.5-MoE's short_mscale, long_mscale
    bool llama3_may_step = false;    ///< Llama 4 Scout: low_freq_factor is high_freq_factor
    bool yarn_keeps_length = false;  ///< YaRN without an attention_factor multiplies nothing
    Index gte_pairs = 0;  ///< rotary pairs of a model whose ntk is GTE's; 0 for all others
};

/// rope_type, or `type` as older files call it; "default" if the object names none and has
/// nothing to scale by. "su" is read as longrope and "mrope" as default.
std::string rope_type_of(const ConfigObject& scaling);

/// Follows transformers' modeling_rope_utils.py: which keys a type needs, which default, which may
/// be null. What was assumed is appended. Throws InputError naming the key and the expected form;
/// ranges are validate()'s (core/scaling).
Scaling read_scaling(const ConfigObject& scaling, const ScalingSurroundings& around,
                     std::vector<std::string>& assumptions);

/// The method as keys of a config.json, the type first, under `type_key` ("rope_type" in files).
nlohmann::ordered_json scaling_json(const Scaling& scaling, const char* type_key = "rope_type");

}  // namespace ropescope
