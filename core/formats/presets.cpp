// Reads the published models from the files that are compiled in.
#include "core/formats/presets.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/embedded.h"
#include "core/base/memo.h"
#include "core/formats/config_object.h"
#include "core/formats/json_object.h"

namespace ropescope {
namespace {

/// A preset's `config` holds keys of the model's own file, so that reading it needs no rules of its
/// own.
Preset read_preset(const nlohmann::json& json, const char* file) {
    const ConfigObject entry(json, fmt::format("{}: {}", file, json.value("id", "entry")));
    const auto text = [&](std::string_view key) {
        const std::optional<std::string> stated = entry.text(key);
        if (!stated || stated->empty()) {
            entry.fail(key, "is missing; a string is expected");
        }
        return *stated;
    };
    const std::optional<ConfigObject> config = entry.object("config");
    if (!config) {
        entry.fail("config", "is missing; an object is expected");
    }
    return {text("id"), text("title"), text("source"), config->json().dump()};
}

std::vector<Preset> read_presets(const char* file) {
    const nlohmann::json parsed = parse_json_object(embedded_file(file).value_or("{}"), file);
    std::vector<Preset> presets;
    for (const nlohmann::json& entry : parsed.at("presets")) {
        presets.push_back(read_preset(entry, file));
    }
    return presets;
}

std::vector<ModelConfig> read_models() {
    std::vector<ModelConfig> models;
    for (const Preset& preset : one_axis_presets()) {
        models.push_back(parse_model_config(preset.config_json, preset.name));
        models.back().title = preset.title;
    }
    return models;
}

}  // namespace

const std::vector<Preset>& one_axis_presets() {
    return made_once([] { return read_presets("assets/presets.json"); });
}

const std::vector<Preset>& several_axes_presets() {
    return made_once([] { return read_presets("assets/scheme_presets.json"); });
}

const Preset* find_preset(std::string_view name) {
    for (const auto* presets : {&one_axis_presets(), &several_axes_presets()}) {
        const auto found = std::ranges::find(*presets, name, &Preset::name);
        if (found != presets->end()) {
            return &*found;
        }
    }
    return nullptr;
}

const std::vector<ModelConfig>& model_presets() {
    return made_once([] { return read_models(); });
}

}  // namespace ropescope
