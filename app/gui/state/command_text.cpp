// Writes a scene as the shortest command that makes the same figure.
#include "app/gui/state/command_text.h"

#include "app/scene/settings.h"

namespace ropescope::gui {

std::vector<std::string> settings_for(const Scene& scene) {
    std::vector<std::string> settings;
    for (const Assignment& given : assignments_to(scene)) {
        if (given.parameter->name != "view") {
            settings.push_back(given.parameter->name + "=" + given.text);
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
