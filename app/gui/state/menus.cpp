// Lists what menus offer, and does it.
#include "app/gui/state/menus.h"

#include <algorithm>
#include <fmt/format.h>

#include "app/figures/context/context.h"
#include "app/gui/state/actions.h"
#include "app/gui/state/export_actions.h"
#include "app/gui/state/model_menu.h"
#include "app/gui/state/scene_text.h"
#include "app/scene/values.h"
#include "core/base/error.h"

namespace ropescope::gui {
namespace {

/// The keys of an action, as the help writes them.
std::string keys_of(Action action) {
    const auto table = shortcuts();
    const auto found = std::ranges::find_if(table, [&](const Shortcut& shortcut) {
        return shortcut.action == action && !shortcut.keys.empty();
    });
    return found == table.end() ? "" : std::string(found->keys);
}

void copy(AppState& state, const std::string& text) {
    state.clipboard = text;
    state.notice.say("copied: " + text);
}

}  // namespace

std::vector<MenuItem> window_menu(const AppState& state) {
    using Does = MenuItem::Does;
    std::vector<MenuItem> items;
    const auto add = [&](Action action, const char* name) {
        items.push_back({Does::action, action, name, keys_of(action)});
    };
    add(Action::model_menu, "Open a model, a file or a scene");
    add(Action::save_scene, "Save the scene");
    add(Action::export_figure, "Export the figure");
    add(Action::copy_command, "Copy the command for this figure");
    items.push_back({Does::copy_python, Action::help, "Copy as Python", "for a notebook"});
    add(Action::copy_picture, "Copy the figure as a picture");
    for (const std::string& command : state.host_commands) {
        items.push_back({Does::ask_host, Action::help, command, ""});
    }
    items.push_back({Does::copy_rope_scaling, Action::help, "Copy the rope_scaling block",
                     "as the view Context shows it"});
    items.push_back({Does::reset_all, Action::help, "Reset all parameters",
                     fmt::format("{} changed", scene_changes(state.scene).size())});
    add(Action::find, "Find a control, a view or a command");
    add(Action::lessons, "Lessons");
    add(Action::presenting, state.presenting ? "End the presentation" : "Present the figure");
    add(Action::full_screen, state.full_screen ? "Leave the full screen" : "Fill the screen");
    add(Action::larger_type, "Larger type");
    add(Action::smaller_type, "Smaller type");
    add(Action::theme, "Next theme");
    return items;
}

std::vector<MenuItem> parameter_menu(const AppState& state, const std::string& name) {
    using Does = MenuItem::Does;
    const Parameter& parameter = parameter_by_name(name);
    const std::string value = parameter_text(state.scene, parameter);
    const std::string own = default_text(state.scene, parameter);
    std::vector<MenuItem> items = {
        {Does::reset, Action::help, "Reset", own, own != value},
        {Does::copy_value, Action::help, "Copy the value", value},
        {Does::copy_setting, Action::help, "Copy as a setting", "--set " + name},
    };
    if (is_number(parameter)) {
        items.push_back({Does::play, Action::play, "Play it", keys_of(Action::play)});
        items.push_back({Does::copy_record, Action::help, "Copy the command that records it",
                         "ropescope record"});
    }
    return items;
}

void copy_rope_scaling(AppState& state) {
    try {
        const figures::ContextState context = figures::make_context_state(state.scene);
        copy(state, context.block_of(context.marked_row()));
    } catch (const InputError& refused) {
        state.error = refused.what();
    }
}

void reset_parameter(AppState& state, const std::string& name) {
    const Parameter& parameter = parameter_by_name(name);
    if (set_value(state, name, default_text(state.scene, parameter))) {
        state.notice.say(
            fmt::format("{} is reset; Ctrl + Z brings it back", control_label(parameter)));
    }
}

void perform_item(AppState& state, const MenuItem& item, const std::string& name) {
    using Does = MenuItem::Does;
    switch (item.does) {
        case Does::action:
            return perform(state, item.action, false);
        case Does::reset:
            return reset_parameter(state, name);
        case Does::copy_value:
            return copy(state, parameter_text(state.scene, parameter_by_name(name)));
        case Does::copy_setting:
            return copy(state, "--set " + shell_quoted(name + "=" +
                                                       parameter_text(state.scene,
                                                                      parameter_by_name(name))));
        case Does::copy_record:
            return copy(state, record_command(state.scene, parameter_by_name(name)));
        case Does::play:
            state.history.end_edit();
            return state.playback.play(state.scene, name);
        case Does::reset_all:
            state.history.end_edit();
            edit_scene(state, unchanged_scene(state.scene));
            return state.notice.say("all parameters are reset; Ctrl + Z brings them back");
        case Does::copy_python:
            return copy_python(state);
        case Does::ask_host:
            state.asked_of_host = item.name;
            return;
        case Does::copy_rope_scaling:
            return copy_rope_scaling(state);
    }
}

}  // namespace ropescope::gui
