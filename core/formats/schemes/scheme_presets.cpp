// Reads the published models of several axes from the file that is compiled in.
#include "core/formats/schemes/scheme_presets.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/embedded.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/made_once.h"
#include "core/base/printable.h"
#include "core/base/suggest.h"
#include "core/formats/config_object.h"
#include "core/formats/json_object.h"

namespace ropescope {
namespace {

constexpr const char* kFile = "assets/scheme_presets.json";

SchemePreset read_preset(const nlohmann::json& json) {
    const ConfigObject entry(json, fmt::format("{}: {}", kFile, json.value("id", "entry")));
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
    return {text("id"), text("title"), text("source"), text("part"), config->json().dump()};
}

std::vector<SchemePreset> read_presets() {
    const nlohmann::json parsed = parse_json_object(embedded_file(kFile).value_or("{}"), kFile);
    std::vector<SchemePreset> presets;
    for (const nlohmann::json& entry : parsed.at("presets")) {
        presets.push_back(read_preset(entry));
    }
    return presets;
}

}  // namespace

const std::vector<SchemePreset>& scheme_presets() {
    return made_once([] { return read_presets(); });
}

const SchemePreset* find_scheme_preset(std::string_view name) {
    const std::vector<SchemePreset>& presets = scheme_presets();
    const auto found = std::ranges::find(presets, name, &SchemePreset::name);
    return found == presets.end() ? nullptr : &*found;
}

ModelScheme scheme_of_preset(const SchemePreset& preset) {
    return part_named(parse_model_schemes(preset.config_json, preset.name), preset.part);
}

std::optional<ConfigText> config_of_preset(const std::string& name_or_path) {
    const SchemePreset* preset = find_scheme_preset(name_or_path);
    if (preset != nullptr) {
        return ConfigText{preset->config_json, preset->name};
    }
    if (is_path(name_or_path)) {
        return std::nullopt;
    }
    std::vector<std::string> names;
    for (const SchemePreset& each : scheme_presets()) {
        names.push_back(each.name);
    }
    const std::string near = did_you_mean(name_or_path, names);
    throw InputError(fmt::format("{} is neither a file nor a published model of several axes{}",
                                 in_quotes(name_or_path),
                                 near.empty() ? "; give a path or a name like qwen2-vl-7b" : near));
}

}  // namespace ropescope
