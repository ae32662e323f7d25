#include "core/formats/model_config.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/printable.h"
#include "core/formats/config_object.h"
#include "core/formats/model_family.h"
#include "core/formats/model_object.h"
#include "core/formats/model_rope.h"

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

ModelFamily family_of(const ConfigObject& config, const std::string& model_type,
                      Assumptions& assumptions) {
    if (const ModelFamily* known = find_model_family(model_type)) {
        return *known;
    }
    if (model_type.empty() && config.has("rope_base") && config.has("n_heads")) {
        assumptions.emplace_back("no model_type: rope_base and n_heads are read as the notebook's");
        return *find_model_family(kNotebookType);
    }
    const ModelFamily guessed = guessed_family(config, model_type);
    assumptions.push_back(
        fmt::format("model_type {} is not known: {}", in_quotes(model_type),
                    guessed.layout == Layout::interleaved
                        ? "interleaved pairs and a scaled softmax, as in DeepSeek's models"
                        : "half-split pairs"));
    return guessed;
}

/// Families in which a key can switch RoPE off.
void check_has_rope(const ConfigObject& config, const ModelFamily& family) {
    const nlohmann::json* value = config.find(family.condition_key);
    if (value != nullptr && *value != nlohmann::json::parse(family.condition_value)) {
        config.fail(family.condition_key,
                    fmt::format("this model has no RoPE; a {} model has it where this is {}",
                                family.model_type, family.condition_value));
    }
}

int read_heads(const ConfigObject& config, const ModelFamily& family, Assumptions& assumptions) {
    const auto heads = config.integer({family.heads_key, "n_head"}, 1, kMaxCount);
    if (!heads && family.heads != 0) {
        assumptions.push_back(fmt::format("{} is missing: {}", family.heads_key, family.heads));
        return family.heads;
    }
    if (!heads) {
        config.fail(family.heads_key,
                    fmt::format("is missing; an integer from 1 to {} is expected", kMaxCount));
    }
    return static_cast<int>(*heads);
}

int read_kv_heads(const ConfigObject& config, const ModelFamily& family, int heads) {
    // Falcon's first generation shares one key and value head and does not read the count.
    if (config.boolean("multi_query").value_or(false) &&
        !config.boolean("new_decoder_architecture").value_or(false)) {
        return 1;
    }
    const auto stated =
        config.integer({"num_key_value_heads", "num_kv_heads", "n_head_kv"}, 1, kMaxCount);
    if (stated && heads % *stated != 0) {
        config.fail("num_key_value_heads",
                    fmt::format("{} does not divide the {} attention heads", *stated, heads));
    }
    if (!stated && family.kv_heads != 0 && !config.has(family.heads_key)) {
        return family.kv_heads;
    }
    return stated ? static_cast<int>(*stated) : heads;
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
    // Models that also see or hear keep the language model's part in an object of its own.
    if (!config.has("hidden_size") && !config.has("n_embd") && config.has("text_config")) {
        config = *config.object("text_config");
        model.assumptions.emplace_back("text_config, the language model's part, is read");
    }
    model.model_type = config.text("model_type").value_or("");
    const ModelFamily family = family_of(config, model.model_type, model.assumptions);
    check_has_rope(config, family);
    model.n_heads = read_heads(config, family, model.assumptions);
    model.n_kv_heads = read_kv_heads(config, family, model.n_heads);
    model.n_layers = static_cast<int>(
        config.integer({"num_hidden_layers", "n_layer", "n_layers"}, 0, kMaxCount).value_or(0));
    model.max_positions =
        config.integer({"max_position_embeddings", "n_positions", "block_size"}, 1, kMaxSeqLen)
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
