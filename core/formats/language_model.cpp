// Finds the language model's part of a config.json and the type that it has.
#include "core/formats/language_model.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ropescope {
namespace {

bool has_own_sizes(const ConfigObject& config) {
    return (config.has("hidden_size") || config.has("n_embd")) &&
           (config.has("num_attention_heads") || config.has("n_head"));
}

/// A file may say the same in the object that is read and in another: that one is read with it.
void note_repeated(const ConfigObject& other, const ConfigObject& read) {
    for (const auto& [key, value] : other.json().items()) {
        if (const auto found = read.json().find(key);
            found != read.json().end() && *found == value) {
            other.has(key);
        }
    }
}

}  // namespace

bool enter_language_model(ConfigObject& config, std::vector<std::string>& assumptions) {
    constexpr std::array kParts = {
        "text_config", "llm_config",     "language_config", "thinker_config",
        "decoder",     "decoder_config", "lm_config",       "transformer_layer_config"};
    constexpr int kDeepest = 3;
    bool inside = false;
    for (int depth = 0; depth < kDeepest; ++depth) {
        const auto* const part =
            std::ranges::find_if(kParts, [&](const char* key) { return config.has(key); });
        if (part == kParts.end()) {
            break;
        }
        const ConfigObject within = *config.object(*part);
        // PaliGemma's own object has a hidden_size, too, but no heads.
        const bool is_whole_text = part == kParts.begin() && has_own_sizes(within);
        if (has_own_sizes(config) && !is_whole_text) {
            note_repeated(within, config);
            break;
        }
        note_repeated(config, within);
        config = within;
        assumptions.push_back(fmt::format("{}, the language model's part, is read", *part));
        inside = true;
    }
    return inside;
}

ConfigObject language_model(const ConfigObject& whole) {
    ConfigObject config = whole;
    std::vector<std::string> assumptions;
    enter_language_model(config, assumptions);
    return config;
}

std::optional<nlohmann::json> part_of_the_files_type(const ConfigObject& part,
                                                     const ConfigObject& whole,
                                                     std::span<const ModelFamily> families) {
    const std::string outer = whole.text("model_type").value_or("");
    const std::string_view meant = text_part_type(outer);
    const std::string type = meant.empty() ? outer : std::string(meant);
    if (part.has("model_type") || find_model_family(type, families) == nullptr) {
        return std::nullopt;
    }
    nlohmann::json typed = part.json();
    typed["model_type"] = type;
    return typed;
}

}  // namespace ropescope
