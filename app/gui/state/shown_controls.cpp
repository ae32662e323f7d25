// Leaves out what the scene does not read, and writes values for people.
#include "app/gui/state/shown_controls.h"

#include <algorithm>
#include <fmt/format.h>

#include "app/figures/view.h"
#include "app/plot/number_text.h"
#include "app/scene/scene_scaling.h"
#include "app/scene/sliders.h"
#include "app/scene/values.h"

namespace ropescope::gui {

std::vector<const Parameter*> shown_controls(const Scene& scene) {
    const figures::View& view = figures::view_by_id(scene.view);
    // The axis of another model is shown, which the scene's own encoding does not describe.
    const bool along_axis = view.reads("axis") && scene.axis != kNoAxisChosen;
    const bool of_encoder = view.reads("content_source") && takes_content_of_encoder(scene);
    std::vector<const Parameter*> shown;
    for (const std::string& name : view.parameters) {
        const Parameter* parameter = find_parameter(name);
        if (parameter != nullptr && name != "model" && name != "view" &&
            is_used(scene, *parameter) && view.needs(name, scene) &&
            !((along_axis || of_encoder) && describes_encoding(*parameter))) {
            shown.push_back(parameter);
        }
    }
    return shown;
}

std::string shown_value(const Scene& scene, const Parameter& parameter) {
    if (is_number(parameter)) {
        if (number(scene, parameter) == 0 && !parameter.zero.empty()) {
            return parameter.zero;
        }
        const std::string sign = parameter.unit == "degrees" ? "°" : "";
        return plot::number_text(number(scene, parameter)) + sign;
    }
    const std::string text = parameter_text(scene, parameter);
    // The list is too long to be read here.
    if (const auto commas = std::ranges::count(text, ','); commas > 16) {
        return fmt::format("{} numbers", commas + 1);
    }
    std::string spaced;
    for (const char c : text) {
        spaced += c == ',' ? std::string(", ") : std::string(1, c);
    }
    return spaced;
}

}  // namespace ropescope::gui
