// Finds out whether a model turns in several axes.
#include "app/scene/several_axes.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/formats/model_presets.h"
#include "core/formats/schemes/scheme_presets.h"

namespace ropescope {

bool turns_in_several_axes(const std::string& name) {
    if (find_model_preset(name) != nullptr) {
        return false;
    }
    try {
        const SchemePreset* preset = find_scheme_preset(name);
        const PathKind kind = path_kind(name);  // a pipe can be read only once
        if (preset == nullptr && kind != PathKind::file && kind != PathKind::folder) {
            return false;
        }
        const ConfigText config = preset != nullptr ? ConfigText{preset->config_json, preset->name}
                                                    : read_config_text(name);
        return std::ranges::any_of(
            parse_model_schemes(config.text, config.origin),
            [](const ModelScheme& part) { return part.scheme.axes.size() > 1; });
    } catch (const InputError&) {
        return false;
    }
}

bool shows_text_alone(const Scene& scene) {
    return scene.model == scene.axes_model;
}

}  // namespace ropescope
