// Reads the published models from the files that are compiled in.
#include "core/formats/presets.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/characters.h"
#include "core/base/embedded.h"
#include "core/base/file.h"
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

bool is_id_of_a_hub(std::string_view name) {
    return std::ranges::count(name, '/') == 1 && !name.starts_with('/') && !name.starts_with('.') &&
           path_kind(name) == PathKind::nothing;
}

/// Whether the whole of the facts is the file of that id: a source that goes on "with ..." changes
/// them.
bool comes_from(const Preset& preset, std::string_view id) {
    const std::string source = lower_case(preset.source), lower = lower_case(id);
    const std::string plain = "config.json of " + lower;
    const bool whole =
        source.starts_with(plain) && (source.size() == plain.size() ||
                                      source[plain.size()] == ';' || source[plain.size()] == ',');
    return whole || source.starts_with("https://huggingface.co/" + lower + "/");
}

}  // namespace

const std::vector<Preset>& one_axis_presets() {
    return made_once([] { return read_presets("assets/presets.json"); });
}

const std::vector<Preset>& several_axes_presets() {
    return made_once([] { return read_presets("assets/scheme_presets.json"); });
}

const Preset* find_preset(std::string_view name) {
    const bool is_id = is_id_of_a_hub(name);
    for (const auto* presets : {&one_axis_presets(), &several_axes_presets()}) {
        const auto found = std::ranges::find_if(*presets, [&](const Preset& preset) {
            return preset.name == name || (is_id && comes_from(preset, name));
        });
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
