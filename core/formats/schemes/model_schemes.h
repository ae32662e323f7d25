// Reads the rotary embeddings of a model that turns in several axes from its own file: config.json
// of transformers and diffusers, params.json of Mistral, arguments of timm and RoPE-ViT, SAM 2's
// configuration. Sources: model_schemes.cpp, scheme_tensors.cpp, multimodal_schemes.cpp,
// tower_schemes.cpp, timm_schemes.cpp, diffusion_schemes.cpp.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/config_object.h"
#include "core/formats/tensor.h"
#include "core/schemes/rotary_scheme.h"

namespace ropescope {

/// One part of a model and how its tokens turn.
struct ModelScheme {
    std::string part;  ///< "text" or "vision"
    RotaryScheme scheme;
    std::vector<std::string> assumptions;  ///< what the file leaves open, in words
    /// Why the language model beside this part cannot be read; empty if it can, or there is none.
    std::string unread_text = {};
    /// Why the part that sees beside this part is not shown; empty if it is, or there is none.
    std::string unread_vision = {};
};

/// Returns the parts of the model that turn, text first: one or two. Text in one axis is one of
/// them. If the language model can be read and what sees cannot, that is one of the language
/// model's assumptions. Throws InputError that names the file, the key and the expected form.
std::vector<ModelScheme> read_model_schemes(const ConfigObject& config);
std::vector<ModelScheme> parse_model_schemes(std::string_view json, const std::string& origin);

/// The part of that name; the first if the name is empty. Throws InputError that names those there
/// are, and for an empty name the reason if there is a language model that cannot be read.
const ModelScheme& part_named(const std::vector<ModelScheme>& parts, std::string_view name);

/// Returns frequencies and channels of one's own: tensors `omega` [pairs, axes] or [heads, pairs,
/// axes] and `pairs` [pairs, 2] of a .safetensors file, and `turns` [tokens] if it is there. A file
/// without `omega` may be the weights of a mixed model: of its tensor `freqs`, or one whose name
/// ends in .freqs, this is mixed_scheme_of_weights(). Throws InputError that names the file and the
/// tensor.
struct OwnScheme {
    RotaryScheme scheme;
    std::vector<bool> turns;  ///< empty if all tokens turn
};
/// The tensor to turn, and the layer of a mixed model.
struct OwnSize {
    Index head_dim = 0, heads = 1, layer = 0;
};
OwnScheme read_scheme_tensors(const std::filesystem::path& path, const OwnSize& size);

/// Returns RoPE-ViT's mixed scheme from the weight `freqs` [2, layers, heads, pairs] or [2, layers,
/// heads * pairs]. Throws InputError that names the tensor if the shape is another, or the layer is
/// not one of it.
RotaryScheme mixed_scheme_of_weights(const TensorBytes& freqs, Index layer, Index heads);

/// The readers of each kind of file; empty if the file is not of the kind.
std::optional<ModelScheme> multimodal_scheme(const ConfigObject& config);
/// Whether a file with a part that sees has keys of a language model, too.
bool has_language_model(const ConfigObject& config);
std::optional<ModelScheme> tower_scheme(const ConfigObject& config);
/// Whether the whole file describes a vision tower, so that there is no language model to read.
bool is_tower_alone(const ConfigObject& config);
/// Why tower_scheme() finds nothing in a file with vision_config; empty for a file without it.
std::string why_no_tower(const ConfigObject& config);
std::optional<ModelScheme> timm_scheme(const ConfigObject& config);
std::optional<ModelScheme> diffusion_scheme(const ConfigObject& config);

}  // namespace ropescope
