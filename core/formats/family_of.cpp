// Finds a file's family by its model_type or infers one; refuses models without RoPE.
#include "core/formats/family_of.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/characters.h"
#include "core/formats/inferred_family.h"

namespace ropescope {
namespace {

/// Refuses what is known to have no RoPE.
void check_has_rope(const ConfigObject& config, const std::string& model_type) {
    if (const std::string_view positions = other_positions("without_rope", model_type);
        !positions.empty()) {
        config.fail("model_type", fmt::format("{} has no RoPE: {}; a model with rotary position "
                                              "embedding is expected",
                                              in_quotes(model_type), positions));
    }
}

/// Families in which a key can switch RoPE off.
void check_condition(const ConfigObject& config, const ModelFamily& family,
                     std::vector<std::string>& assumptions) {
    const Condition& condition = family.condition;
    const nlohmann::json* value = config.find(condition.key);
    const std::string wanted = condition.value == nullptr ? "given" : condition.value->dump();
    if (value == nullptr && condition.missing == MissingCondition::assumed) {
        assumptions.push_back(fmt::format("{} is missing: {}", condition.key, wanted));
    }
    const bool differs =
        value != nullptr && condition.value != nullptr && *value != *condition.value;
    const bool refused = value == nullptr && condition.missing == MissingCondition::refused;
    if (differs || refused) {
        config.fail(condition.key,
                    fmt::format("{}this model has no RoPE; a {} model has it where this is {}",
                                refused ? "is missing: " : "", family.model_type, wanted));
    }
}

/// The family, or the one by which it is read where a key has the value that says so.
const ModelFamily& meant_family(const ConfigObject& config, const ModelFamily& family,
                                std::span<const ModelFamily> families,
                                std::vector<std::string>& assumptions) {
    const Alternative& other = family.alternative;
    const nlohmann::json* value = config.find(other.key);
    if (value == nullptr || *value != *other.value) {
        return family;
    }
    assumptions.push_back(
        fmt::format("{} {}: read as {}", other.key, other.value->dump(), other.as));
    return *find_model_family(other.as, families);
}

}  // namespace

bool is_notebook(const ConfigObject& config) {
    const std::string type = config.text("model_type").value_or("");
    return type == kNotebookType ||
           (type.empty() && config.has("rope_base") && config.has("n_heads"));
}

FoundFamily family_of(const ConfigObject& config, std::span<const ModelFamily> families,
                      std::vector<std::string>& assumptions) {
    const std::string type = config.text("model_type").value_or("");
    check_one_axis(config, type);
    if (const ModelFamily* known = find_model_family(type, families)) {
        check_condition(config, *known, assumptions);
        return {meant_family(config, *known, families, assumptions)};
    }
    if (is_notebook(config)) {
        assumptions.emplace_back(
            "no model_type: rope_base and n_heads are read as the RoFormer notebook's");
        return {*find_model_family(kNotebookType)};
    }
    // Jina's and others' own code keeps the name of a family that learns its positions.
    if (!states_rope(config)) {
        check_has_rope(config, type);
    }
    InferredFamily inferred = inferred_family(config, type);
    assumptions.push_back(std::move(inferred.inference));
    return {std::move(inferred.family), Confidence::inferred};
}

}  // namespace ropescope
