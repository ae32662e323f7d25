// Reads the parts of a model that turn in several axes from its own file: config.json of
// transformers and diffusers, params.json of Mistral, arguments of timm and RoPE-ViT, SAM 2's
// configuration. core/models/model.cpp asks them in turn. Sources: scheme_tensors.cpp,
// multimodal_schemes.cpp, tower_schemes.cpp, timm_schemes.cpp, diffusion_schemes.cpp.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/formats/config_object.h"
#include "core/formats/tensor.h"
#include "core/schemes/part.h"

namespace ropescope {

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
/// One part for each type of layers that turns in its own way; empty if the file is not of the
/// kind.
std::vector<Part> multimodal_schemes(const ConfigObject& config);
/// Whether a file with a part that sees has keys of a language model, too.
bool has_language_model(const ConfigObject& config);
std::optional<Part> tower_scheme(const ConfigObject& config);
/// Whether the whole file describes a vision tower, so that there is no language model to read.
bool is_tower_alone(const ConfigObject& config);
/// Why tower_scheme() finds nothing in a file with vision_config; empty for a file without it.
std::string why_no_tower(const ConfigObject& config);
std::optional<Part> timm_scheme(const ConfigObject& config);
std::optional<Part> diffusion_scheme(const ConfigObject& config);

}  // namespace ropescope
