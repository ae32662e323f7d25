// What a config.json or a GGUF file says about a model: its sizes and its rotary embedding.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/index.h"
#include "core/formats/family_of.h"
#include "core/formats/model_rope.h"
#include "core/rope/rope_spec.h"

namespace ropescope {

class ConfigObject;

struct ModelConfig {
    std::string id;                        ///< preset id ("llama-2-7b") or path of the file
    std::string title;                     ///< "Llama 2 7B"
    std::string model_type;                ///< Hugging Face's model_type; "gguf:llama"
    RopeSpec rope;                         ///< of the layers with full attention, if layers differ
    std::vector<LayerRope> layer_ropes;    ///< empty if all layers turn alike
    std::vector<std::string> layer_types;  ///< of each layer; empty if the file does not say
    std::vector<Index> layers_without;     ///< numbers of layers that turn nothing, from 0
    /// What products of queries and keys are multiplied by, if not 1 / sqrt(head_dim).
    std::optional<double> softmax_scale;
    /// Every pair turns by -m theta in place of m theta, and the weights were trained so.
    bool turns_backwards = false;
    std::int64_t max_positions = 0;  ///< trained context, 0 if the file does not say
    int n_heads = 0;
    int n_kv_heads = 0;
    int n_layers = 0;
    /// If inferred, the first of the assumptions says what from.
    Confidence confidence = Confidence::known;
    /// No key and no known family says how channels pair; the layout is a guess.
    bool layout_is_assumed = false;
    /// The family is inferred, and no key states its base, or how many channels of a head turn.
    bool base_is_assumed = false, width_is_assumed = false;
    std::vector<std::string> assumptions;  ///< what was not in the file and had to be assumed
};

/// What was inferred in place of a known family, in words; empty if the family is known.
std::string inference_of(const ModelConfig& model);

/// Reads a config.json: the families of assets/families.json in their own words, any other by its
/// rotary keys, and says what was assumed. Every error names the file, the key and the expected
/// form.
ModelConfig parse_model_config(std::string_view json, const std::string& origin);
/// The same from an object that is parsed already, without unread_rope_keys(): who has all readers
/// of a file asks for them. `origin` becomes the id; messages start as `config` says.
ModelConfig read_model(const ConfigObject& config, const std::string& origin,
                       std::span<const ModelFamily> families = model_families());

}  // namespace ropescope
