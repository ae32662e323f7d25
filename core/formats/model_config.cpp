// Reads what a config.json says about a model: its sizes, and its rotary embedding by its family.
#include "core/formats/model_config.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/base/characters.h"
#include "core/base/index.h"
#include "core/formats/config_object.h"
#include "core/formats/family_of.h"
#include "core/formats/gguf/file.h"
#include "core/formats/gguf/model.h"
#include "core/formats/json_object.h"
#include "core/formats/language_model.h"
#include "core/formats/layer_types.h"
#include "core/formats/layers_without.h"
#include "core/formats/limits.h"
#include "core/formats/model_reader.h"
#include "core/formats/unread_keys.h"

namespace ropescope {
namespace {

/// OpenELM gives each layer its own number of heads.
int heads_of_first_layer(const ModelReader& file, std::string_view key) {
    const std::vector<double> heads =
        file.config.numbers(key, static_cast<std::size_t>(kMaxCount)).value();
    const double first = heads.front();
    if (!(first >= 1 && first <= to_double(kMaxCount)) || first != std::floor(first)) {
        file.config.fail(fmt::format("{}[0]", key),
                         fmt::format("{}; an integer from 1 to {} is expected", first, kMaxCount));
    }
    file.assume(fmt::format("{} differs by layer; that of the first, {}, is shown", key, first));
    return narrow<int>(floor_to_index(first));
}

int read_heads(const ModelReader& file) {
    const ModelFamily& family = file.family;
    if (const nlohmann::json* list = file.config.find(family.heads_key);
        list != nullptr && list->is_array() && !list->empty()) {
        return heads_of_first_layer(file, family.heads_key);
    }
    const auto stated = file.config.integer({family.heads_key, "n_head"}, 1, kMaxCount);
    const Index usual = family.heads != 0 ? family.heads : family.text.heads;
    if (!stated && usual == 0) {
        file.config.fail(family.heads_key,
                         fmt::format("is missing; an integer from 1 to {} is expected", kMaxCount));
    }
    return narrow<int>(file.or_usual(stated, family.heads_key, usual));
}

int read_kv_heads(const ModelReader& file, int heads) {
    const ModelFamily& family = file.family;
    const ConfigObject config = file.attention();
    // Falcon's first generation shares one key and value head and does not read the count.
    if (config.boolean("multi_query").value_or(false) &&
        !config.boolean("new_decoder_architecture").value_or(false)) {
        return 1;
    }
    if (const auto* list = config.find("num_kv_heads"); list != nullptr && list->is_array()) {
        return heads;  // by layer, like the heads
    }
    const auto stated =
        config.integer({family.kv_heads_key, "num_key_value_heads", "num_kv_heads", "n_head_kv",
                        "multi_query_group_num", "kv_n_heads", "encoder_num_key_value_heads"},
                       1, kMaxCount);
    if (stated && heads % *stated != 0) {
        config.fail("num_key_value_heads",
                    fmt::format("{} does not divide the {} attention heads", *stated, heads));
    }
    const int usual = family.kv_heads != 0 ? family.kv_heads : family.text.kv_heads;
    const bool by_family = usual != 0 && !config.has(family.heads_key);
    return narrow<int>(stated.value_or(by_family ? usual : heads));
}

ModelSizes read_sizes(const ModelReader& file, int heads) {
    const auto layers = file.config.integer(
        {file.family.layers_key, "num_hidden_layers", "n_layer", "n_layers", "num_layers",
         "num_transformer_layers", "encoder_num_hidden_layers", "decoder_num_hidden_layers"},
        0, kMaxCount);
    const auto positions =
        file.config.integer({file.family.positions_key, "max_position_embeddings", "n_positions",
                             "block_size", "seq_length", "max_seq_len"},
                            1, kMaxSeqLen);
    const bool by_family = !file.long_context() && file.family.positions > 0;
    return {.n_heads = heads,
            .n_layers = narrow<int>(layers.value_or(0)),
            .max_positions = file.long_context() ? file.family.long_context.positions
                             : by_family ? file.or_usual(positions, "max_position_embeddings",
                                                         file.family.positions)
                                         : positions.value_or(0)};
}

/// Gemma divides by the root of a number of its own, Granite multiplies by one.
std::optional<double> read_softmax_scale(const ModelReader& file) {
    if (file.family.unscaled_scores) {
        return 1.0;
    }
    if (const auto multiplier = file.config.positive("attention_multiplier", kMaxFactor)) {
        return multiplier;
    }
    const auto stated = file.config.positive("query_pre_attn_scalar", kMaxFactor);
    const double scalar = stated.value_or(file.family.query_scalar);
    return scalar > 0.0 ? std::optional(1.0 / std::sqrt(scalar)) : std::nullopt;
}

/// The model's own name for itself, else the folder of a config.json, else the file's stem.
std::string title_of(const ConfigObject& config, const std::string& origin) {
    const std::string name = config.text("_name_or_path").value_or("");
    const std::filesystem::path path(origin);
    const std::filesystem::path folder = path.parent_path().filename();
    if (!name.empty()) {
        return printable(name);
    }
    return printable(path.filename() == "config.json" && !folder.empty() ? folder.string()
                                                                         : path.stem().string());
}

/// Each once: every type of layer says the same again.
void keep_first_of_each(std::vector<std::string>& texts) {
    for (auto it = texts.begin(); it != texts.end();) {
        it = std::find(texts.begin(), it, *it) == it ? std::next(it) : texts.erase(it);
    }
}

}  // namespace

namespace {

/// Whether any key, at any depth, could be the base: rather one too many than a stated base that
/// is taken for an inferred one.
bool may_state_base(const nlohmann::json& object) {
    for (const auto& [key, value] : object.items()) {
        const auto has = [&](std::string_view word) { return key.find(word) != key.npos; };
        const bool of_rotation = has("rope") || has("rotary") || has("pos") || has("freq");
        if (has("theta") || key == "base" || (has("base") && of_rotation) ||
            (value.is_object() && may_state_base(value))) {
            return true;
        }
    }
    return false;
}

}  // namespace

ModelConfig read_model(const ConfigObject& whole, const std::string& origin,
                       std::span<const ModelFamily> families) {
    if (gguf::is_metadata(whole)) {
        return gguf::model_of_metadata(whole, origin);
    }
    ModelConfig model;
    model.id = origin;
    model.title = title_of(whole, origin);
    ConfigObject config = whole;
    const bool inside = enter_language_model(config, model.assumptions);
    const auto typed = inside ? part_of_the_files_type(config, whole, families) : std::nullopt;
    config = typed ? config.changed(*typed) : config;
    model.model_type = config.text("model_type").value_or("");
    const FoundFamily found = family_of(config, families, model.assumptions);
    model.confidence = found.confidence;
    model.layout_is_assumed =
        found.confidence == Confidence::inferred && !config.has(found.family.layout_key);
    if (found.confidence == Confidence::inferred) {  // it stands first, whatever came before
        std::ranges::rotate(model.assumptions, model.assumptions.end() - 1);
    }
    ModelReader file{config, found.family, model.assumptions};
    file.family.text = inside ? file.family.text : TextSizes{};
    model.n_heads = read_heads(file);
    model.n_kv_heads = read_kv_heads(file, model.n_heads);
    const ModelSizes sizes = read_sizes(file, model.n_heads);
    model.n_layers = sizes.n_layers;
    model.max_positions = sizes.max_positions;
    ModelRope rope = read_rope(file, sizes);
    model.rope = rope.rope;
    model.layer_ropes = std::move(rope.layers);
    if (found.confidence == Confidence::inferred) {
        const ModelFamily& family = found.family;
        model.base_is_assumed = !may_state_base(config.json());
        model.width_is_assumed = family.factor_key.empty() && family.width_key.empty() &&
                                 model.rope.rotary_dim == model.rope.head_dim &&
                                 !config.has("qk_rope_head_dim");
    }
    model.layer_types = types_of_layers(file, sizes.n_layers);
    model.layers_without = layers_without_rope(file, sizes.n_layers);
    model.softmax_scale = read_softmax_scale(file);
    model.turns_backwards = file.family.turns_backwards;
    keep_first_of_each(model.assumptions);
    if (!file.family.note.empty()) {
        model.assumptions.emplace_back(file.family.note);
    }
    return model;
}

std::string inference_of(const ModelConfig& model) {
    return model.confidence == Confidence::inferred ? model.assumptions.front() : "";
}

ModelConfig parse_model_config(std::string_view json, const std::string& origin) {
    const nlohmann::json parsed = parse_json_object(json, origin);
    const ConfigObject whole(parsed, printable(origin));
    LookedAt looked_at;
    ModelConfig model = read_model(whole.noting(looked_at), origin);
    if (!gguf::is_metadata(whole)) {
        std::ranges::move(unread_rope_keys(whole, looked_at),
                          std::back_inserter(model.assumptions));
    }
    return model;
}

}  // namespace ropescope
