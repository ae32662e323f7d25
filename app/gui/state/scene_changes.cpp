// Compares a scene with its model's own values.
#include "app/gui/state/scene_changes.h"

#include <fmt/format.h>

#include "app/scene/settings.h"
#include "core/base/error.h"

namespace ropescope::gui {
namespace {

bool is_kept(const Parameter& parameter) {
    return parameter.name == "view" || parameter.name == "model";
}

}  // namespace

Scene unchanged_scene(const Scene& scene) {
    Scene own;
    try {
        own = apply_settings({}, {"model=" + scene.model});
    } catch (const InputError&) {
        own.model = scene.model;  // its file is gone
    }
    own.view = scene.view;
    return own;
}

std::vector<SceneChange> scene_changes(const Scene& scene) {
    const Scene own = unchanged_scene(scene);
    std::vector<SceneChange> changes;
    for (const Parameter& parameter : parameters()) {
        const std::string from = parameter_text(own, parameter);
        const std::string to = parameter_text(scene, parameter);
        if (!is_kept(parameter) && from != to) {
            changes.push_back({&parameter, from, to});
        }
    }
    return changes;
}

std::string changes_text(const Scene& scene) {
    std::string text;
    for (const SceneChange& change : scene_changes(scene)) {
        text += fmt::format("{}{} {}, was {}", text.empty() ? "" : "; ", change.parameter->name,
                            change.to.empty() ? "empty" : change.to,
                            change.from.empty() ? "empty" : change.from);
    }
    return text;
}

std::string default_text(const Scene& scene, const Parameter& parameter) {
    return parameter_text(unchanged_scene(scene), parameter);
}

}  // namespace ropescope::gui
