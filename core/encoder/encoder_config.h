// The sizes and options of an encoder, read before any weight: the RoFormer of the PyTorch notebook
// (docs/sources.md) and that of Hugging Face transformers (modeling_roformer.py).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/enum_names.h"
#include "core/base/index.h"
#include "core/encoder/position_encoding.h"
#include "core/kernels/activation.h"
#include "core/rope/rope_spec.h"

namespace ropescope {

struct ConfigText;

/// notebook: layer norm before the attention and around the feed-forward, an output of its own.
/// hugging_face: layer norm after each sum, token types, a masked-language-model head on the word
/// embeddings.
enum class Architecture { notebook, hugging_face };
template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<Architecture> = {"notebook",
                                                                             "hugging_face"};

/// The default sizes are those of the RoFormer notebook's ModelArgs.
struct EncoderConfig {
    Architecture architecture = Architecture::notebook;
    Index vocab_size = 32000;
    Index embedding_size = 768;  ///< other than hidden_size only in hugging_face
    Index hidden_size = 768;
    Index intermediate_size = 3072;
    Index type_vocab_size = 0;  ///< 0 if the model has no token types
    Index n_layers = 4;
    Index n_heads = 4;
    Index max_positions = 1024;  ///< keys block_size or max_position_embeddings
    Activation activation = Activation::gelu;
    double layer_norm_eps = 1e-12;
    /// Of hugging_face: key ropescope_position, which is ours; the class itself has RoPE.
    PositionEncoding position = PositionEncoding::rope;
    double rope_base = 1e6;
    /// The share of a head's channels that turn, from the first on: key partial_rotary_factor.
    double rotary_share = 1.0;
    /// A decoder: each token sees itself and those before it. Keys is_decoder, architectures.
    bool causal = false;
    bool rotary_value = false;  ///< whether values are rotated, too
    bool has_head = true;       ///< whether the model computes logits
    bool tied_head = false;     ///< whether the decoder is the word embedding
    /// Whether the class has another head (RoFormerForTokenClassification, ...). Tensors that do
    /// not belong to the encoder are then ignored.
    bool other_head = false;

    Index head_dim() const { return hidden_size / n_heads; }
    Index rotary_dim() const;
    /// Both architectures rotate adjacent pairs of channels.
    RopeSpec rope() const;

    bool operator==(const EncoderConfig&) const = default;
};

/// A Hugging Face config.json of model_type "roformer", or the ModelArgs of the RoFormer notebook
/// as JSON. Throws InputError that names the file, the key and the expected form. If the file names
/// no class, has_head is true, and open_encoder() corrects it from the weights.
EncoderConfig parse_encoder_config(std::string_view json, const std::string& origin);
/// Reads a file, or config.json in a folder. Throws InputError as above.
EncoderConfig read_encoder_config(const std::filesystem::path& path);
/// Empty if the file describes another kind of model. Throws InputError as above.
std::optional<EncoderConfig> find_encoder_config(const ConfigText& config);

}  // namespace ropescope
