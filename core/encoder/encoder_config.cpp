// Reads the config of either RoFormer from JSON.
#include "core/encoder/encoder_config.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/formats/config_object.h"
#include "core/formats/config_text.h"
#include "core/formats/family_of.h"
#include "core/formats/json_object.h"
#include "core/formats/limits.h"

namespace ropescope {
namespace {

Index size(const ConfigObject& config, std::string_view key, Index silent, Index most = kMaxWidth) {
    return config.integer(key, 1, most).value_or(silent);
}

/// config.architectures[0], "" if the file names none.
std::string class_name(const ConfigObject& config) {
    const nlohmann::json* names = config.find("architectures");
    if (names == nullptr) {
        return "";
    }
    if (!names->is_array() || names->empty() || !names->front().is_string()) {
        config.fail("architectures", "a list of class names is expected");
    }
    return names->front().get<std::string>();
}

Activation read_activation(const ConfigObject& config) {
    struct Named {
        std::string_view name;
        Activation activation;
    };
    constexpr std::array kNames = {
        Named{"gelu", Activation::gelu}, Named{"gelu_new", Activation::gelu_tanh},
        Named{"gelu_pytorch_tanh", Activation::gelu_tanh}, Named{"relu", Activation::relu}};
    const std::string name = config.text("hidden_act").value_or("gelu");
    const auto* found =
        std::ranges::find_if(kNames, [&](const Named& row) { return row.name == name; });
    if (found == kNames.end()) {
        config.fail("hidden_act", fmt::format("{} is not known; gelu, gelu_new, gelu_pytorch_tanh "
                                              "or relu is expected",
                                              in_quotes(name)));
    }
    return found->activation;
}

PositionEncoding read_position(const ConfigObject& config) {
    const std::string name = config.text("ropescope_position").value_or("rope");
    const std::optional<PositionEncoding> position = enum_value<PositionEncoding>(name);
    if (!position) {
        config.fail("ropescope_position",
                    fmt::format("{} is not known; {} is expected", in_quotes(name),
                                fmt::join(enum_names<PositionEncoding>(), ", ")));
    }
    return *position;
}

/// Defaults as in configuration_roformer.py.
EncoderConfig read_hugging_face(const ConfigObject& config) {
    EncoderConfig result;
    result.architecture = Architecture::hugging_face;
    result.vocab_size = size(config, "vocab_size", 50000);
    result.hidden_size = size(config, "hidden_size", 768);
    result.embedding_size = size(config, "embedding_size", result.hidden_size);
    result.intermediate_size = size(config, "intermediate_size", 3072);
    result.type_vocab_size = size(config, "type_vocab_size", 2);
    result.n_layers = size(config, "num_hidden_layers", 12, kMaxCount);
    result.n_heads = size(config, "num_attention_heads", 12);
    result.max_positions = size(config, "max_position_embeddings", 1536, kMaxPosition);
    result.activation = read_activation(config);
    result.layer_norm_eps = config.positive("layer_norm_eps", 1.0).value_or(1e-12);
    result.rope_base = 10000.0;
    result.rotary_value = config.boolean("rotary_value").value_or(false);
    result.position = read_position(config);
    result.rotary_share = config.positive("partial_rotary_factor", 1.0).value_or(1.0);
    const std::string name = class_name(config);
    result.causal = name == "RoFormerForCausalLM" || config.boolean("is_decoder").value_or(false);
    result.has_head =
        name.empty() || name == "RoFormerForMaskedLM" || name == "RoFormerForCausalLM";
    result.other_head = !result.has_head && name != "RoFormerModel";
    result.tied_head = result.has_head && config.boolean("tie_word_embeddings").value_or(true);
    return result;
}

EncoderConfig read_notebook(const ConfigObject& config) {
    EncoderConfig result;
    result.vocab_size = size(config, "vocab_size", result.vocab_size);
    result.hidden_size = size(config, "hidden_size", result.hidden_size);
    result.embedding_size = result.hidden_size;
    result.intermediate_size = size(config, "intermediate_size", result.intermediate_size);
    result.n_layers = size(config, "n_layers", result.n_layers, kMaxCount);
    result.n_heads = size(config, "n_heads", result.n_heads);
    result.max_positions = size(config, "block_size", result.max_positions, kMaxPosition);
    result.layer_norm_eps = config.positive("layer_norm_eps", 1.0).value_or(result.layer_norm_eps);
    result.rope_base = config.positive("rope_base", kMaxBase).value_or(result.rope_base);
    return result;
}

void require_whole_heads(const ConfigObject& config, const EncoderConfig& result) {
    const Index head_dim = result.hidden_size / result.n_heads;
    if (result.hidden_size % result.n_heads != 0 || head_dim % 2 != 0 || head_dim > kMaxHeadDim) {
        config.fail("hidden_size",
                    fmt::format("{} does not give {} heads an even head_dim; {} times an even "
                                "number up to {} is expected",
                                result.hidden_size, result.n_heads, result.n_heads, kMaxHeadDim));
    }
}

/// Empty if the file describes another kind of model.
std::optional<EncoderConfig> read_known(const ConfigObject& config) {
    const bool notebook = is_notebook(config);
    if (!notebook && config.text("model_type") != "roformer") {
        return std::nullopt;
    }
    const EncoderConfig result = notebook ? read_notebook(config) : read_hugging_face(config);
    require_whole_heads(config, result);
    return result;
}

}  // namespace

Index EncoderConfig::rotary_dim() const {
    return 2 * std::max<Index>(1, std::lround(rotary_share * to_double(head_dim() / 2)));
}

RopeSpec EncoderConfig::rope() const {
    return {head_dim(), rotary_dim(), rope_base, Layout::interleaved};
}

EncoderConfig parse_encoder_config(std::string_view json, const std::string& origin) {
    const nlohmann::json parsed = parse_json_object(json, origin);
    const ConfigObject config(parsed, printable(origin));
    const std::optional<EncoderConfig> known = read_known(config);
    if (!known) {
        const std::string type = config.text("model_type").value_or("");
        config.fail("model_type",
                    fmt::format("{} is not a known encoder; 'roformer' is expected, or "
                                "the RoFormer notebook's rope_base and n_heads",
                                type.empty() ? "none" : in_quotes(type)));
    }
    return *known;
}

EncoderConfig read_encoder_config(const std::filesystem::path& path) {
    const ConfigText config = read_config_text(path);
    return parse_encoder_config(config.text, config.origin);
}

std::optional<EncoderConfig> find_encoder_config(const ConfigText& config) {
    const nlohmann::json parsed = parse_json_object(config.text, config.origin);
    return read_known(ConfigObject(parsed, printable(config.origin)));
}

}  // namespace ropescope
