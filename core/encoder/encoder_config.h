// What an encoder is, before any weight is read: the notebook's RoFormer (seed document 000) and
// Hugging Face's (modeling_roformer.py).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/kernels/activation.h"
#include "core/rope/rope_spec.h"

namespace ropescope {

/// notebook: layer norm before the attention and around the feed-forward, an output of its own.
/// hugging_face: layer norm after each sum, token types, a masked-language-model head on the word
/// embeddings.
enum class Architecture { notebook, hugging_face };

std::string_view to_string(Architecture architecture);

/// Sizes as the notebook's ModelArgs has them by default.
struct EncoderConfig {
    Architecture architecture = Architecture::notebook;
    std::int64_t vocab_size = 32000;
    std::int64_t embedding_size = 768;  ///< differs from hidden_size only in hugging_face
    std::int64_t hidden_size = 768;
    std::int64_t intermediate_size = 3072;
    std::int64_t type_vocab_size = 0;  ///< 0: no token types
    std::int64_t n_layers = 4;
    std::int64_t n_heads = 4;
    std::int64_t max_positions = 1024;  ///< block_size, max_position_embeddings
    Activation activation = Activation::gelu;
    double layer_norm_eps = 1e-12;
    double rope_base = 1e6;
    bool rotary_value = false;  ///< the values are rotated too
    bool has_head = true;       ///< logits are computed
    bool tied_head = false;     ///< the decoder is the word embedding
    /// Classes with other heads (RoFormerForTokenClassification, ...): what is not the encoder's is
    /// left unread.
    bool other_head = false;

    std::int64_t head_dim() const { return hidden_size / n_heads; }
    /// Both rotate every channel of a head in adjacent pairs.
    RopeSpec rope() const;

    bool operator==(const EncoderConfig&) const = default;
};

/// A Hugging Face config.json of model_type "roformer", or the notebook's ModelArgs as JSON. Throws
/// InputError naming the file, the key and the expected form. Where a file names no architecture,
/// has_head is true; whoever knows the weights corrects it.
EncoderConfig parse_encoder_config(std::string_view json, const std::string& origin);
/// The file, or config.json in the folder.
EncoderConfig read_encoder_config(const std::filesystem::path& path);
/// The same, but none where the file describes another kind of model.
std::optional<EncoderConfig> find_encoder_config(const std::filesystem::path& path);

}  // namespace ropescope
