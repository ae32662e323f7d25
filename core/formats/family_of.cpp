// Finds a file's family by its model_type or infers one; refuses models without RoPE.
#include "core/formats/family_of.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
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

/// What `encode` runs in place of RoPE, if the file of one of our trainings says so.
void check_own_position(const ConfigObject& config) {
    struct Instead {
        std::string_view position, does;
    };
    constexpr std::array kInstead = {
        Instead{"sinusoidal", "it adds a sinusoidal vector for each position"},
        Instead{"learned", "it learns a vector for each position"},
        Instead{"t5", "it learns a bias for each range of distances, and adds it to the scores"},
        Instead{"alibi", "it has ALiBi, a slope over the distance"},
        Instead{"none", "nothing tells it positions but a causal mask, if it has one"}};
    const std::string position = config.text("ropescope_position").value_or("rope");
    const auto* const found = std::ranges::find(kInstead, position, &Instead::position);
    if (found != kInstead.end()) {
        config.fail("ropescope_position",
                    fmt::format("{}: this model has no RoPE: {}; encode runs it, and here a model "
                                "with rotary position embedding is expected",
                                in_quotes(position), found->does));
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
        config.fail(
            condition.key,
            fmt::format("{}this model has no RoPE; a model of type {} has it where this is {}",
                        refused ? "is missing: " : "", family.model_type, wanted));
    }
}

}  // namespace

const ModelFamily& meant_family(const ConfigObject& config, const ModelFamily& family,
                                std::span<const ModelFamily> families,
                                std::vector<std::string>& assumptions) {
    const Alternative& other = family.alternative;
    const nlohmann::json* value = config.find(other.key);
    const bool is_said = value != nullptr && *value == *other.value;
    // All are looked at, so that none is called unread.
    const Index zeros = std::ranges::count_if(other.zero_keys, [&](std::string_view key) {
        const nlohmann::json* width = config.find(key);
        return width != nullptr && *width == 0;
    });
    if (is_said) {
        assumptions.push_back(
            fmt::format("{} {}: read as {}", other.key, other.value->dump(), other.as));
    } else if (zeros > 0 && zeros == std::ssize(other.zero_keys)) {
        assumptions.push_back(
            fmt::format("{} are 0: read as {}", fmt::join(other.zero_keys, " and "), other.as));
    } else {
        return family;
    }
    return *find_model_family(other.as, families);
}

bool is_notebook(const ConfigObject& config) {
    const std::string type = config.text("model_type").value_or("");
    return type == kNotebookType ||
           (type.empty() && config.has("rope_base") && config.has("n_heads"));
}

FoundFamily family_of(const ConfigObject& config, std::span<const ModelFamily> families,
                      std::vector<std::string>& assumptions) {
    const std::string type = config.text("model_type").value_or("");
    check_own_position(config);
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
