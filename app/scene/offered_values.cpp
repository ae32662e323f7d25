// Lists the published models that the axes view offers, and their axes.
#include "app/scene/offered_values.h"

#include <map>
#include <utility>

#include "core/formats/presets.h"
#include "core/models/model.h"

namespace ropescope {
namespace {

std::vector<std::string> axes_models(std::vector<std::string> names) {
    for (const Preset& preset : several_axes_presets()) {
        names.push_back(preset.name);
    }
    names.emplace_back(kMixedStart);
    return names;
}

using ModelPart = std::pair<std::string, AxesPart>;

/// none, all, and the axes of each part of each published model.
std::map<ModelPart, std::vector<std::string>> axes_of_presets() {
    std::map<ModelPart, std::vector<std::string>> axes;
    for (const Preset& preset : several_axes_presets()) {
        for (const Part& part : open_model(preset.name).parts) {
            std::vector<std::string> choices = {std::string(kNoAxisChosen), std::string(kAllAxes)};
            choices.insert(choices.end(), part.scheme.axes.begin(), part.scheme.axes.end());
            if (const auto named = enum_value<AxesPart>(part.kind)) {
                axes[{preset.name, *named}] = choices;
            }
            axes.try_emplace({preset.name, AxesPart::first}, choices);
        }
    }
    return axes;
}

}  // namespace

const std::vector<std::string>& offered_values(const Scene& scene, std::string_view parameter) {
    static const std::vector<std::string> models = axes_models({}), others = axes_models({"none"}),
                                          nothing;
    if (parameter == "axis") {
        static const auto axes = axes_of_presets();
        const auto found = axes.find({scene.axes_model, scene.axes_part});
        return found == axes.end() ? nothing : found->second;
    }
    return parameter == "axes_model" ? models : parameter == "axes_other" ? others : nothing;
}

}  // namespace ropescope
