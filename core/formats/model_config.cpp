#include "core/formats/model_config.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/printable.h"
#include "core/formats/config_object.h"
#include "core/formats/model_family.h"
#include "core/formats/model_object.h"
#include "core/formats/model_rope.h"
#include "core/formats/no_rope.h"

namespace ropescope {
namespace {

constexpr std::size_t kMaxConfigBytes = std::size_t{1} << 24;
constexpr std::int64_t kMaxCount = std::int64_t{1} << 16;  // of heads and layers

using Assumptions = std::vector<std::string>;

/// Keys by which a file of no known family shows that it has RoPE, and how to read them.
ModelFamily guessed_family(const ConfigObject& config, const std::string& model_type) {
    ModelFamily family{.model_type = "", .base_key = "", .factor_key = ""};
    const auto first_of = [&](std::initializer_list<std::string_view> keys) {
        for (const std::string_view key : keys) {
            if (config.has(key)) {
                return key;
            }
        }
        return std::string_view();
    };
    family.base_key = first_of({"rope_theta", "rotary_emb_base", "rope_base", "rotary_base"});
    family.factor_key =
        first_of({"partial_rotary_factor", "rotary_pct", "rope_pct", "rotary_percent"});
    family.width_key = first_of({"rotary_dim", "rotary_ndims"});
    if (config.has("qk_rope_head_dim")) {  // heads whose last channels alone carry positions
        family.head_dim_key = "qk_rope_head_dim";
        family.layout = Layout::interleaved;
        family.layout_key = "rope_interleave";
        family.scales_softmax = true;
    }
    const bool has_rope = !family.base_key.empty() || !family.factor_key.empty() ||
                          !family.width_key.empty() || config.has("rope_parameters") ||
                          config.has("rope_scaling");
    if (!has_rope) {
        config.fail("model_type",
                    fmt::format("{} is not known, and no key tells of RoPE; rope_theta, "
                                "rope_parameters, rotary_dim or rotary_pct is expected",
                                in_quotes(model_type)));
    }
    return family;
}

/// Refuses what is known, or says of itself, to have no RoPE.
void check_states_rope(const ConfigObject& config, const std::string& model_type) {
    if (const std::string_view positions = positions_without_rope(model_type); !positions.empty()) {
        config.fail("model_type", fmt::format("{} has no RoPE: {}; a model with rotary position "
                                              "embedding is expected",
                                              in_quotes(model_type), positions));
    }
    if (config.boolean("alibi").value_or(false)) {
        config.fail("alibi", "this model has no RoPE; false is expected");
    }
    const std::string type = config.text("position_embedding_type").value_or("rope");
    if (type != "rope" && type != "rotary") {
        config.fail(
            "position_embedding_type",
            fmt::format("{} is not rotary; \"rope\" or \"rotary\" is expected", in_quotes(type)));
    }
}

ModelFamily family_of(const ConfigObject& config, const std::string& model_type,
                      Assumptions& assumptions) {
    if (const ModelFamily* known = find_model_family(model_type)) {
        return *known;
    }
    if (model_type.empty() && config.has("rope_base") && config.has("n_heads")) {
        assumptions.emplace_back("no model_type: rope_base and n_heads are read as the notebook's");
        return *find_model_family(kNotebookType);
    }
    check_states_rope(config, model_type);
    const ModelFamily guessed = guessed_family(config, model_type);
    assumptions.push_back(
        fmt::format("model_type {} is not known: {}", in_quotes(model_type),
                    guessed.layout == Layout::interleaved
                        ? "interleaved pairs and a scaled softmax, as in DeepSeek's models"
                        : "half-split pairs"));
    return guessed;
}

/// Families in which a key can switch RoPE off.
void check_has_rope(const ConfigObject& config, const ModelFamily& family,
                    Assumptions& assumptions) {
    const nlohmann::json* value = config.find(family.condition_key);
    const std::string wanted =
        family.condition_value.empty() ? "given" : std::string(family.condition_value);
    if (value == nullptr && family.condition_missing == MissingCondition::assumed) {
        assumptions.push_back(fmt::format("{} is missing: {}", family.condition_key, wanted));
    }
    const bool differs = value != nullptr && !family.condition_value.empty() &&
                         *value != nlohmann::json::parse(family.condition_value);
    const bool refused = value == nullptr && family.condition_missing == MissingCondition::refused;
    if (differs || refused) {
        config.fail(family.condition_key,
                    fmt::format("{}this model has no RoPE; a {} model has it where this is {}",
                                refused ? "is missing: " : "", family.model_type, wanted));
    }
}

int read_heads(const ConfigObject& config, const ModelFamily& family, Assumptions& assumptions) {
    const auto heads = config.integer({family.heads_key, "n_head"}, 1, kMaxCount);
    const int usual = family.heads != 0 ? family.heads : family.text.heads;
    if (!heads && usual != 0) {
        assumptions.push_back(fmt::format("{} is missing: {}", family.heads_key, usual));
        return usual;
    }
    if (!heads) {
        config.fail(family.heads_key,
                    fmt::format("is missing; an integer from 1 to {} is expected", kMaxCount));
    }
    return static_cast<int>(*heads);
}

int read_kv_heads(const ConfigObject& file, const ModelFamily& family, int heads) {
    const ConfigObject config = attention_object(file, family);
    // Falcon's first generation shares one key and value head and does not read the count.
    if (config.boolean("multi_query").value_or(false) &&
        !config.boolean("new_decoder_architecture").value_or(false)) {
        return 1;
    }
    const auto stated = config.integer(
        {"num_key_value_heads", "num_kv_heads", "n_head_kv", "multi_query_group_num", "kv_n_heads"},
        1, kMaxCount);
    if (stated && heads % *stated != 0) {
        config.fail("num_key_value_heads",
                    fmt::format("{} does not divide the {} attention heads", *stated, heads));
    }
    const int usual = family.kv_heads != 0 ? family.kv_heads : family.text.kv_heads;
    if (!stated && usual != 0 && !config.has(family.heads_key)) {
        return usual;
    }
    return stated ? static_cast<int>(*stated) : heads;
}

/// Models that also see or hear keep the language model's part in an object of its own, which may
/// lie in another.
bool enter_language_model(ConfigObject& config, Assumptions& assumptions) {
    constexpr std::array kParts = {"text_config", "llm_config", "language_config",
                                   "thinker_config"};
    constexpr int kDeepest = 3;
    bool inside = false;
    for (int depth = 0; depth < kDeepest; ++depth) {
        const auto* const part =
            std::ranges::find_if(kParts, [&](const char* key) { return config.has(key); });
        // PaliGemma's own object has a hidden_size, too, but no heads.
        const bool complete = (config.has("hidden_size") || config.has("n_embd")) &&
                              (config.has("num_attention_heads") || config.has("n_head"));
        if (complete || part == kParts.end()) {
            break;
        }
        config = *config.object(*part);
        assumptions.push_back(fmt::format("{}, the language model's part, is read", *part));
        inside = true;
    }
    return inside;
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

}  // namespace

ModelConfig read_model_object(ConfigObject config, const std::string& origin) {
    ModelConfig model;
    model.id = origin;
    model.title = title_of(config, origin);
    const bool inside = enter_language_model(config, model.assumptions);
    model.model_type = config.text("model_type").value_or("");
    ModelFamily family = family_of(config, model.model_type, model.assumptions);
    family.text = inside ? family.text : TextSizes{};
    check_has_rope(config, family, model.assumptions);
    model.n_heads = read_heads(config, family, model.assumptions);
    model.n_kv_heads = read_kv_heads(config, family, model.n_heads);
    model.n_layers = static_cast<int>(
        config.integer({"num_hidden_layers", "n_layer", "n_layers", "num_layers"}, 0, kMaxCount)
            .value_or(0));
    model.max_positions = config
                              .integer({"max_position_embeddings", "n_positions", "block_size",
                                        "seq_length", "max_seq_len"},
                                       1, kMaxSeqLen)
                              .value_or(family.positions);
    read_rope(config, family, model);
    // Each type of layer says the same again.
    Assumptions& assumed = model.assumptions;
    for (auto it = assumed.begin(); it != assumed.end();) {
        it = std::find(assumed.begin(), it, *it) == it ? std::next(it) : assumed.erase(it);
    }
    if (!family.note.empty()) {
        model.assumptions.emplace_back(family.note);
    }
    return model;
}

ModelConfig parse_model_config(std::string_view json, const std::string& origin) {
    const nlohmann::json parsed = parse_config_json(json, origin);
    return read_model_object(ConfigObject(parsed, printable(origin)), origin);
}

ModelConfig read_model_config(const std::filesystem::path& path) {
    std::error_code ignored;
    const bool folder = std::filesystem::is_directory(path, ignored);
    const std::filesystem::path file = folder ? path / "config.json" : path;
    return parse_model_config(read_file(file, kMaxConfigBytes), file.string());
}

}  // namespace ropescope
