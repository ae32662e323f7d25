// Puts a model and its encoding into words.
#include "app/gui/state/model_text.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "app/plot/number_text.h"
#include "app/scene/scene_scaling.h"
#include "core/formats/model_presets.h"

namespace ropescope::gui {
namespace {

const ModelConfig* preset_of(const Scene& scene) {
    const auto& presets = model_presets();
    const auto found = std::ranges::find(presets, scene.model, &ModelConfig::id);
    return found == presets.end() ? nullptr : &*found;
}

std::string facts(std::int64_t head_dim, std::int64_t rotary_dim, double base,
                  std::string_view layout, const Scaling& scaling) {
    const std::string dims = rotary_dim == head_dim
                                 ? fmt::format("head_dim {}", head_dim)
                                 : fmt::format("head_dim {}, {} rotary", head_dim, rotary_dim);
    const std::string scaled = std::holds_alternative<NoScaling>(scaling)
                                   ? ""
                                   : fmt::format(" · {} ×{}", scaling_type(scaling),
                                                 plot::number_text(extension_factor(scaling)));
    return fmt::format("{} · base {} · {}{}", dims, plot::exact_number_text(base), spoken(layout),
                       scaled);
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
    return facts(scene.head_dim, scene.rotary_dim, scene.base, to_string(scene.layout),
                 scene_scaling(scene));
}

bool differs_from_preset(const Scene& scene) {
    const ModelConfig* preset = preset_of(scene);
    return preset != nullptr && encoding_facts(scene) != model_facts(*preset);
}

std::string model_facts(const ModelConfig& model) {
    return facts(model.rope.head_dim, model.rope.rotary_dim, model.rope.base,
                 to_string(model.rope.layout), model.rope.scaling);
}

}  // namespace ropescope::gui
