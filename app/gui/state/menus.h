// Menus: lists of things that can be done, in the bar and on a control.
#pragma once

#include <string>
#include <vector>

#include "app/gui/state/keys.h"

namespace ropescope::gui {

struct AppState;

struct MenuItem {
    enum class Does {
        action,             ///< what a key does
        reset,              ///< the parameter gets its default back
        copy_value,         ///< its value goes to the clipboard
        copy_setting,       ///< the same as --set takes it
        copy_record,        ///< the command that records the figure while it changes
        play,               ///< it is animated
        reset_all,          ///< every parameter gets its default back
        copy_python,        ///< lines of Python that make the figure go to the clipboard
        ask_host,           ///< what the program around the window does, by the item's name
        copy_rope_scaling,  ///< the block of a config.json that the scene's scaling is
    } does = Does::action;
    Action action = Action::help;
    std::string name;    ///< "Save the scene"
    std::string detail;  ///< its keys, or a value
    bool enabled = true;
};

/// What concerns the whole scene and the window.
std::vector<MenuItem> window_menu(const AppState& state);
/// What can be done with one parameter.
std::vector<MenuItem> parameter_menu(const AppState& state, const std::string& parameter);

/// Does it; `parameter` is the one of parameter_menu().
void perform_item(AppState& state, const MenuItem& item, const std::string& parameter);

/// Puts the block for a config.json that the view Context shows for the scene on the clipboard.
void copy_rope_scaling(AppState& state);
/// Sets the parameter to its default.
void reset_parameter(AppState& state, const std::string& parameter);

}  // namespace ropescope::gui
