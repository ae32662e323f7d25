// Ranks names by how they have the letters.
#include "app/gui/state/finder.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <string>

#include "app/figures/view.h"
#include "app/gui/state/actions.h"
#include "app/gui/state/menus.h"
#include "app/gui/state/model_menu.h"
#include "app/gui/state/scene_text.h"
#include "app/plot/number_text.h"
#include "app/scene/scene_scaling.h"
#include "app/scene/sliders.h"
#include "app/scene/values.h"
#include "core/base/characters.h"

namespace ropescope::gui {
namespace {

std::string initials_of(std::string_view name) {
    std::string initials;
    bool begins = true;
    for (const char letter : name) {
        const bool in_word = std::isalnum(static_cast<unsigned char>(letter)) != 0;
        if (in_word && begins) {
            initials += letter;
        }
        begins = !in_word;
    }
    return initials;
}

/// 0 is the best; 3 means that the name does not have the letters.
int rank(const std::string& name, const std::string& letters) {
    return name.starts_with(letters)                 ? 0
           : initials_of(name).starts_with(letters)  ? 1
           : name.find(letters) != std::string::npos ? 2
                                                     : 3;
}

std::vector<OpenEntry> all_entries(const AppState& state) {
    std::vector<OpenEntry> entries;
    for (const Parameter* parameter : shown_controls(state.scene)) {
        entries.push_back({OpenEntry::Kind::control, control_label(*parameter),
                           shown_value(state.scene, *parameter), parameter->name});
    }
    for (const figures::View& view : figures::views()) {
        entries.push_back({OpenEntry::Kind::view, view.name, view.question, view.id});
    }
    for (const MenuItem& item : window_menu(state)) {
        entries.push_back({OpenEntry::Kind::command, item.name, item.detail, item.name});
    }
    return entries;
}

}  // namespace

std::vector<OpenEntry> find_entries(const AppState& state, std::string_view typed) {
    const std::string letters = lower_case(std::string(typed));
    std::vector<OpenEntry> all = all_entries(state);
    const auto rank_of = [&](const OpenEntry& entry) {
        return rank(lower_case(entry.text), letters);
    };
    std::ranges::stable_sort(all, {}, rank_of);
    std::erase_if(all, [&](const OpenEntry& entry) { return rank_of(entry) == 3; });
    if (all.empty()) {
        all.push_back({OpenEntry::Kind::remark, "No control, view or command has these letters."});
    }
    return all;
}

void go_to_found(AppState& state, const OpenEntry& entry) {
    close_overlay(state);
    if (entry.kind == OpenEntry::Kind::control) {
        state.presenting = false;  // which hides the controls
        state.wanted_control = state.found_control = entry.target;
    } else if (entry.kind == OpenEntry::Kind::view) {
        show_view(state, entry.target);
    } else {
        const std::vector<MenuItem> items = window_menu(state);
        const auto item = std::ranges::find(items, entry.target, &MenuItem::name);
        if (item != items.end() && item->enabled) {
            perform_item(state, *item, "");
        }
    }
}

// Leaves out what the scene does not read, and writes values for people.

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
