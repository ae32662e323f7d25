// Puts a model and its encoding into words.
#include "app/gui/state/model_text.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "app/figures/describe.h"
#include "app/plot/number_text.h"
#include "core/formats/model_presets.h"

namespace ropescope::gui {
namespace {

const ModelConfig* preset_of(const Scene& scene) {
    const auto& presets = model_presets();
    const auto found = std::ranges::find(presets, scene.model, &ModelConfig::id);
    return found == presets.end() ? nullptr : &*found;
}

std::string facts(const RopeSpec& rope) {
    const std::string scaled = std::holds_alternative<NoScaling>(rope.scaling)
                                   ? ""
                                   : fmt::format(" · {} ×{}", scaling_type(rope.scaling),
                                                 plot::number_text(extension_factor(rope.scaling)));
    return fmt::format("{} · {}{}", figures::encoding_sizes(rope, " · "),
                       spoken(to_string(rope.layout)), scaled);
}

}  // namespace

std::string spoken(std::string_view name, char between) {
    std::string text(name);
    if (!text.ends_with("_dim") && !text.ends_with("_freq")) {
        std::ranges::replace(text, '_', between);
    }
    return text;
}

std::string model_title(const Scene& scene) {
    if (const ModelConfig* preset = preset_of(scene)) {
        return preset->title;
    }
    const std::filesystem::path path(scene.model);
    const std::filesystem::path folder =
        path.filename() == "config.json" ? path.parent_path().filename() : path.filename();
    return folder.empty() ? scene.model : folder.string();
}

std::string encoding_facts(const Scene& scene) {
    return facts(unchecked_rope_spec(scene));
}

bool differs_from_preset(const Scene& scene) {
    const ModelConfig* preset = preset_of(scene);
    return preset != nullptr && encoding_facts(scene) != model_facts(*preset);
}

std::string model_facts(const ModelConfig& model) {
    return facts(model.rope);
}

}  // namespace ropescope::gui
