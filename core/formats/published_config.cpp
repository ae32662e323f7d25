// Looks among the published models first, then for a file.
#include "core/formats/published_config.h"

#include <fmt/format.h>
#include <vector>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/suggest.h"
#include "core/formats/model_presets.h"
#include "core/formats/schemes/scheme_presets.h"

namespace ropescope {

ConfigText config_of_model(const std::string& name_or_path) {
    if (find_model_preset(name_or_path) != nullptr) {
        return {preset_config_json(name_or_path), name_or_path};
    }
    if (const SchemePreset* preset = find_scheme_preset(name_or_path)) {
        return {preset->config_json, preset->name};
    }
    if (is_path(name_or_path)) {
        return read_config_text(name_or_path);
    }
    std::vector<std::string> names;
    for (const ModelConfig& each : model_presets()) {
        names.push_back(each.id);
    }
    for (const SchemePreset& each : scheme_presets()) {
        names.push_back(each.name);
    }
    const std::string near = did_you_mean(name_or_path, names);
    throw InputError(fmt::format("{} is neither a file nor a published model{}",
                                 in_quotes(name_or_path),
                                 near.empty() ? "; give a path or a name like llama-3-8b" : near));
}

}  // namespace ropescope
