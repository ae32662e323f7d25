// Finds the controls of parameters by name, and lists values to give them.
#include "tests/gui/control_kinds.h"

#include <algorithm>
#include <array>

#include "app/gui/state/model_menu.h"
#include "app/scene/settings.h"
#include "app/scene/values.h"

namespace ropescope::test {

ControlKind control_kind(Person& person, const Parameter& parameter) {
    if (is_number(parameter)) {
        return ControlKind::slider;
    }
    if (parameter.choices.empty()) {
        const bool listed = !gui::listed_values(person.scene(), parameter).empty();
        return listed ? ControlKind::list : ControlKind::text;
    }
    // The window decides how many choices lie side by side.
    return person.find("list of " + parameter.name) ? ControlKind::list : ControlKind::segments;
}

std::string text_for(const Parameter& parameter) {
    struct Text {
        std::string_view parameter, text;
    };
    static constexpr auto kTexts = std::to_array<Text>({
        {"pairs", "0,5,9"},
        {"axes_grid", "3x6x8"},
        {"axes_model", "dinov3-vit-small"},
        {"axes_other", "dinov3-vit-small"},
        {"axis", "all"},
        {"positions_layout", "text 3, image 4x4"},
        {"longrope_short", "1,2"},
        {"longrope_long", "1,4"},
    });
    const auto* const own = std::ranges::find(kTexts, parameter.name, &Text::parameter);
    return std::string(own == kTexts.end() ? "norm" : own->text);  // other texts take any word
}

std::string neighbour(const std::vector<std::string>& values, const std::string& now) {
    const auto found = std::ranges::find(values, now);
    if (found == values.end()) {
        return values.front();
    }
    return found + 1 == values.end() ? *(found - 1) : *(found + 1);
}

Scene scene_with_controls(const std::string& view) {
    std::vector<std::string> settings = {"view=" + view};
    if (view == "model") {
        settings.emplace_back("scaling=dynamic");  // it reads the length of the sequence
    }
    if (view == "axes") {
        settings.emplace_back("axes_grid=2x12x18");  // of one frame, there is none to choose
    }
    return apply_settings({}, settings);
}

}  // namespace ropescope::test
