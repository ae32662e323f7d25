// Reads the published models from the file that is compiled in.
#include "core/formats/model_presets.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/embedded.h"
#include "core/base/made_once.h"
#include "core/base/printable.h"
#include "core/base/suggest.h"
#include "core/formats/config_object.h"
#include "core/formats/json_object.h"

namespace ropescope {
namespace {

constexpr const char* kFile = "assets/presets.json";

std::string required_text(const ConfigObject& entry, std::string_view key) {
    const std::optional<std::string> text = entry.text(key);
    if (!text || text->empty()) {
        entry.fail(key, "is missing; a string is expected");
    }
    return *text;
}

/// A preset's `config` holds keys of the model's own config.json, so that reading it needs no
/// rules of its own.
ModelConfig read_preset(const nlohmann::json& json) {
    const ConfigObject entry(json, fmt::format("{}: {}", kFile, json.value("id", "entry")));
    const std::optional<ConfigObject> config = entry.object("config");
    if (!config) {
        entry.fail("config", "is missing; an object is expected");
    }
    ModelConfig model = read_model(*config, required_text(entry, "id"));
    model.title = required_text(entry, "title");
    model.source = required_text(entry, "source");
    return model;
}

std::vector<ModelConfig> read_presets() {
    const nlohmann::json parsed = parse_json_object(embedded_file(kFile).value_or("{}"), kFile);
    std::vector<ModelConfig> presets;
    for (const nlohmann::json& entry : parsed.at("presets")) {
        presets.push_back(read_preset(entry));
    }
    return presets;
}

}  // namespace

const std::vector<ModelConfig>& model_presets() {
    return made_once([] { return read_presets(); });
}

const ModelConfig* find_model_preset(std::string_view id) {
    const std::vector<ModelConfig>& presets = model_presets();
    const auto found = std::ranges::find(presets, id, &ModelConfig::id);
    return found == presets.end() ? nullptr : &*found;
}

const ModelConfig& model_preset(std::string_view id) {
    return element_named(model_presets(), &ModelConfig::id, id, [&](const std::string& near) {
        return fmt::format(
            "model: {} is neither a published model known here nor the path of a config.json{}",
            in_quotes(id), near.empty() ? ", like llama-3-8b or ./config.json" : near);
    });
}

std::string preset_config_json(std::string_view id) {
    model_preset(id);
    const nlohmann::json parsed = parse_json_object(embedded_file(kFile).value_or("{}"), kFile);
    const nlohmann::json& presets = parsed.at("presets");
    return std::ranges::find_if(presets, [&](const auto& entry) { return entry.at("id") == id; })
        ->at("config")
        .dump();
}

}  // namespace ropescope
