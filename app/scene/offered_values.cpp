// Lists the published models that the axes view offers.
#include "app/scene/offered_values.h"

#include "core/formats/schemes/scheme_presets.h"

namespace ropescope {
namespace {

std::vector<std::string> axes_models(std::vector<std::string> names) {
    for (const SchemePreset& preset : scheme_presets()) {
        names.push_back(preset.name);
    }
    names.emplace_back(kMixedStart);
    return names;
}

}  // namespace

const std::vector<std::string>& offered_values(std::string_view parameter) {
    static const std::vector<std::string> models = axes_models({}), others = axes_models({"none"}),
                                          nothing;
    return parameter == "axes_model" ? models : parameter == "axes_other" ? others : nothing;
}

}  // namespace ropescope
