// Infers a family from the names of a file's keys, and refuses files that say they have no RoPE.
#include "core/formats/inferred_family.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/characters.h"
#include "core/formats/family_of.h"

namespace ropescope {
namespace {

using Keys = std::initializer_list<std::string_view>;

bool contains(std::string_view name, Keys words) {
    return std::ranges::any_of(
        words, [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

std::string_view first_of(const ConfigObject& config, Keys keys) {
    const auto* const found =
        std::ranges::find_if(keys, [&](std::string_view key) { return config.has(key); });
    return found == keys.end() ? std::string_view() : *found;
}

constexpr std::string_view kSwitches[] = {"rope",
                                          "rotary",
                                          "use_rope",
                                          "use_rotary",
                                          "use_mem_rope",
                                          "use_rotary_emb",
                                          "use_rotary_embedding",
                                          "use_rotary_embeddings",
                                          "use_rotary_pos_emb",
                                          "use_rotary_position_embedding",
                                          "use_rope_embedding",
                                          "use_rotary_position_embeddings",
                                          "enable_rope",
                                          "apply_rope",
                                          "apply_rotary",
                                          "with_rope",
                                          "has_rope"};
constexpr std::string_view kPositionTypes[] = {
    "position_embedding_type", "position_embeddings_type", "positional_embedding_type",
    "position_encoding_type",  "positional_encoding_type", "pos_emb_type",
    "pos_embed_type",          "pos_encoding_type",        "position_embedding",
    "positional_embedding"};

/// The value of a switch; empty if the file has none of this name.
std::optional<bool> switched(const ConfigObject& config, std::string_view key) {
    const nlohmann::json* value = config.find(key);
    return value != nullptr && value->is_boolean() ? std::optional(value->get<bool>())
                                                   : std::nullopt;
}

/// The kind of positions under a key; empty if the file does not say.
std::string position_type(const ConfigObject& config, std::string_view key) {
    const nlohmann::json* value = config.find(key);
    return value != nullptr && value->is_string() ? value->get<std::string>() : "";
}

bool is_rotary(std::string_view type) {
    return contains(type, {"rope", "rotary", "RoPE", "Rotary", "ROPE"});
}

/// Refuses a file with a switch that is off, or with another kind of positions.
void check_states_rope(const ConfigObject& config) {
    for (const std::string_view key : {"alibi", "use_alibi"}) {
        if (switched(config, key).value_or(false)) {
            config.fail(key, "this model has no RoPE; false is expected");
        }
    }
    for (const std::string_view key : kSwitches) {
        if (!switched(config, key).value_or(true)) {
            config.fail(key, "this model has no RoPE; true is expected");
        }
    }
    for (const std::string_view key : kPositionTypes) {
        const std::string type = position_type(config, key);
        if (!type.empty() && !is_rotary(type)) {
            config.fail(key, fmt::format("{} is not rotary; \"rope\" or \"rotary\" is expected",
                                         in_quotes(type)));
        }
    }
}

/// The keys of the file that look like a base: rope_theta, rotary_emb_base, swa_rope_theta ...
std::vector<std::string_view> base_keys(const ConfigObject& config) {
    std::vector<std::string_view> keys;
    const nlohmann::json& json = config.json();
    for (auto it = json.begin(); it != json.end(); ++it) {
        const std::string& key = it.key();
        if (it->is_number() && contains(key, {"rope", "rotary"}) &&
            contains(key, {"theta", "base", "freq"}) && !contains(key, {"scal", "factor", "dim"})) {
            keys.emplace_back(key);
        }
    }
    std::ranges::stable_partition(keys, [](std::string_view key) { return key == "rope_theta"; });
    return keys;
}

struct Bases {
    std::vector<std::string_view> keys;
    std::string_view object;  ///< that holds them; empty for the file itself
};

/// The bases in the file, or in the object of its attention. rope_parameters by layer has its own.
Bases find_bases(const ConfigObject& config) {
    Bases bases{base_keys(config), {}};
    for (const std::string_view key : {"attn_config", "attention_config", "attention"}) {
        const auto* value = config.find(key);
        if (bases.keys.empty() && value != nullptr && value->is_object()) {
            bases = {base_keys(*config.object(key)), key};
        }
    }
    return bases;
}

/// The layers that turn at the base of this key, by the key's name.
LayerKind kind_of(std::string_view key, bool has_global) {
    const bool local = contains(key, {"local", "swa", "sliding", "window"});
    const bool global = contains(key, {"global", "full"});
    const bool plain = key == "rope_theta";
    const std::string_view type = local || (plain && has_global) ? kSlidingAttention
                                  : global || plain              ? kFullAttention
                                                                 : key;
    return {.type = type,
            .local = key != "rope_theta",
            .scaled = type != kSlidingAttention,
            .base_key = key,
            .base = 10000};
}

std::vector<LayerKind> kinds_of(const std::vector<std::string_view>& bases) {
    std::vector<LayerKind> kinds;
    const bool has_global =
        std::ranges::any_of(bases, [](std::string_view key) { return contains(key, {"global"}); });
    for (const std::string_view key : bases) {
        LayerKind kind = kind_of(key, has_global);
        if (std::ranges::find(kinds, kind.type, &LayerKind::type) != kinds.end()) {
            kind.type = key;
        }
        kinds.push_back(kind);
    }
    return kinds;
}

/// Whether the heads are plain ones: latent attention is switched off, or its heads have no channel
/// at all (DeepSeek-OCR, whose files say 0 for both parts).
bool has_plain_heads(const ConfigObject& config) {
    const auto is_zero = [&](std::string_view key) {
        const nlohmann::json* width = config.find(key);
        return width != nullptr && *width == 0;
    };
    return !switched(config, "use_mla").value_or(true) ||
           (is_zero("qk_rope_head_dim") && is_zero("qk_nope_head_dim"));
}

/// Heads whose last channels alone carry positions.
void read_latent_attention(const ConfigObject& config, ModelFamily& family) {
    if (config.has("qk_rope_head_dim") && !has_plain_heads(config)) {
        if (*config.find("qk_rope_head_dim") == 0) {
            config.fail("qk_rope_head_dim",
                        "0: no channel of this model's latent attention carries a position, so it "
                        "has no RoPE there");
        }
        family.head_dim_key = "qk_rope_head_dim";
        family.rotary_part_only = true;
        family.layout = Layout::interleaved;
        family.scales_softmax = true;
    }
}

std::string inference(const ConfigObject& config, const std::string& model_type,
                      const ModelFamily& family, const std::vector<std::string_view>& bases) {
    std::vector<std::string> parts;
    if (bases.size() > 1 && !config.has("rope_parameters")) {
        parts.push_back(fmt::format("a base for each of {}", fmt::join(bases, ", ")));
    }
    if (config.has(family.layout_key)) {
        parts.push_back(fmt::format("the layout by {}", family.layout_key));
    } else {
        parts.emplace_back(family.layout == Layout::interleaved
                               ? "interleaved pairs as in DeepSeek's models (in MiniCPM3 they are "
                                 "half-split), which no key says"
                               : "half-split pairs, which no key says");
    }
    for (const std::string_view key : {family.head_dim_key, family.factor_key, family.width_key}) {
        if (config.has(key) && key != "head_dim") {
            parts.push_back(fmt::format("{} by its name", key));
        }
    }
    const std::string why = model_type.empty()
                                ? "no model_type is given"
                                : fmt::format("model_type {} is not known", in_quotes(model_type));
    return fmt::format("{}; inferred: {}", why, fmt::join(parts, "; "));
}

/// Refuses a file that has neither a family nor a rotary key, by what it calls itself.
[[noreturn]] void refuse_unknown(const ConfigObject& config, const std::string& model_type) {
    constexpr std::string_view kExpected =
        "and no key is about RoPE; rope_theta, rope_parameters, rotary_dim or rotary_pct is "
        "expected";
    if (!model_type.empty()) {
        config.fail("model_type",
                    fmt::format("{} is not known, {}", in_quotes(model_type), kExpected));
    }
    const nlohmann::json* const architecture = config.find("architecture");
    if (architecture != nullptr && architecture->is_string()) {
        config.fail("architecture",
                    fmt::format("{} is read as timm's if pretrained_cfg stands beside it, {}",
                                in_quotes(architecture->get<std::string>()), kExpected));
    }
    config.fail(
        "model_type",
        fmt::format("{}, {}", config.is_null("model_type") ? "is null" : "is missing", kExpected));
}

}  // namespace

bool states_rope(const ConfigObject& config) {
    const auto is_on = [&](std::string_view key) { return switched(config, key).value_or(false); };
    const auto names_it = [&](std::string_view key) {
        return is_rotary(position_type(config, key));
    };
    const nlohmann::json* attention = config.find("attn_config");
    return std::ranges::any_of(kSwitches, is_on) || std::ranges::any_of(kPositionTypes, names_it) ||
           (attention != nullptr && attention->is_object() &&
            states_rope(*config.object("attn_config")));
}

InferredFamily inferred_family(const ConfigObject& config, const std::string& model_type) {
    check_states_rope(config);
    const auto [bases, attention_object] = find_bases(config);
    ModelFamily family{.model_type = "",
                       .base_key = bases.empty() ? "rope_theta" : bases.front(),
                       .attention_object = attention_object};
    family.factor_key = first_of(
        config, {"partial_rotary_factor", "rotary_pct", "rope_pct", "rotary_percent",
                 "rotary_percentage", "rope_percentage", "rope_percent", "rotary_emb_fraction",
                 "rotary_fraction", "rope_fraction", "rotary_ratio", "partial_rope_factor"});
    family.width_key = first_of(config, {"rotary_dim", "rotary_ndims", "rope_dim", "rotary_dims",
                                         "rope_dims", "rotary_emb_dim", "rotary_embedding_dim",
                                         "rope_head_dim", "n_rot", "rotary_size"});
    family.layout_key =
        first_of(config, {"rope_interleave", "rope_interleaved", "rotary_interleaved",
                          "rotary_emb_interleaved", "interleaved_rope", "rope_traditional",
                          "use_interleaved_rope"});
    if (const auto key =
            first_of(config, {"head_dim", "attention_head_dim", "kv_channels", "head_size",
                              "attention_head_size", "qk_head_dim", "attn_head_dim", "dim_head",
                              "d_head", "d_kv", "size_per_head"});
        !key.empty()) {
        family.head_dim_key = key;
    }
    if (const auto key = first_of(
            config, {"num_attention_heads", "n_head", "n_heads", "num_heads", "num_query_heads",
                     "n_attn_heads", "num_attn_heads", "attention_heads", "nhead",
                     "decoder_num_attention_heads", "encoder_num_attention_heads",
                     "decoder_attention_heads", "encoder_attention_heads"});
        !key.empty()) {
        family.heads_key = key;
    }
    read_latent_attention(config, family);
    const bool has_rope = !bases.empty() || config.has("rope_theta") ||
                          !family.factor_key.empty() || !family.width_key.empty() ||
                          config.has("rope_parameters") || config.has("rope_scaling") ||
                          config.has(family.layer_base_key) || config.has("qk_rope_head_dim");
    const bool has_axes = !first_of(config, {"pos_embed_rescale", "pos_embed_rope_base",
                                             "axes_dims_rope", "axes_dim", "axes_dims"})
                               .empty();
    if (has_rope || has_axes) {
        check_no_vision_keys(config, model_type);
    } else {
        refuse_unknown(config, model_type);
    }
    // rope_parameters says by itself how layers differ.
    if (bases.size() > 1 && !config.has("rope_parameters")) {
        family.layers = kinds_of(bases);
    }
    return {family, inference(config, model_type, family, bases)};
}

}  // namespace ropescope
