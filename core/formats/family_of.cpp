// Finds a file's family by its model_type, infers one from its keys, or refuses a model without
// RoPE.
#include "core/formats/family_of.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/base/printable.h"

namespace ropescope {
namespace {

/// Keys by which a file of no known family shows that it has RoPE, and how to read them.
ModelFamily guessed_family(const ConfigObject& config, const std::string& model_type) {
    ModelFamily family{.model_type = "", .base_key = "", .factor_key = ""};
    const auto first_of = [&](std::initializer_list<std::string_view> keys) {
        const auto* const found =
            std::ranges::find_if(keys, [&](std::string_view key) { return config.has(key); });
        return found == keys.end() ? std::string_view() : *found;
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
                    fmt::format("{} is not known, and no key is about RoPE; rope_theta, "
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

/// Families in which a key can switch RoPE off.
void check_condition(const ConfigObject& config, const ModelFamily& family,
                     std::vector<std::string>& assumptions) {
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

}  // namespace

bool is_notebook(const ConfigObject& config) {
    const std::string type = config.text("model_type").value_or("");
    return type == kNotebookType ||
           (type.empty() && config.has("rope_base") && config.has("n_heads"));
}

ModelFamily family_of(const ConfigObject& config, std::vector<std::string>& assumptions) {
    const std::string type = config.text("model_type").value_or("");
    if (const ModelFamily* known = find_model_family(type)) {
        check_condition(config, *known, assumptions);
        return *known;
    }
    if (is_notebook(config)) {
        assumptions.emplace_back(
            "no model_type: rope_base and n_heads are read as the RoFormer notebook's");
        return *find_model_family(kNotebookType);
    }
    check_states_rope(config, type);
    const ModelFamily guessed = guessed_family(config, type);
    assumptions.push_back(
        fmt::format("model_type {} is not known: {}", in_quotes(type),
                    guessed.layout == Layout::interleaved
                        ? "interleaved pairs and a scaled softmax, as in DeepSeek's models"
                        : "half-split pairs"));
    return guessed;
}

}  // namespace ropescope
