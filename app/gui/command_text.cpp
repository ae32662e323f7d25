#include "app/gui/command_text.h"

#include "app/scene/parameters.h"
#include "core/base/error.h"

namespace ropescope::gui {
namespace {

/// The default scene with the model loaded, or the default scene when the model is gone.
Scene with_model_only(const Scene& scene) {
    try {
        return apply_settings(Scene{}, {"model=" + scene.model});
    } catch (const InputError&) {
        return Scene{};
    }
}

}  // namespace

std::vector<std::string> settings_for(const Scene& scene) {
    std::vector<std::string> settings;
    Scene reached;
    if (scene.model != reached.model) {
        settings.push_back("model=" + scene.model);
        reached = with_model_only(scene);
    }
    for (const Parameter& parameter : parameters()) {
        if (parameter.name == "view" || parameter.name == "model") {
            continue;
        }
        const std::string wanted = parameter_text(scene, parameter);
        if (wanted != parameter_text(reached, parameter)) {
            settings.push_back(parameter.name + "=" + wanted);
        }
    }
    return settings;
}

std::string shell_quoted(std::string_view word) {
    constexpr std::string_view kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=,./:@%";
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) {
        return std::string(word);
    }
    std::string quoted = "'";
    for (const char c : word) {
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return quoted + "'";
}

std::string figure_command(const Scene& scene) {
    std::string command = "ropescope";
    for (const std::string& setting : settings_for(scene)) {
        command += " --set " + shell_quoted(setting);
    }
    return command + " figure " + scene.view + " -o " + scene.view + ".svg";
}

}  // namespace ropescope::gui
