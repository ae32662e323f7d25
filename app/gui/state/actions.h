// What the user can do, as functions on the state. They do not draw, so tests call them too.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "app/gui/state/app_state.h"

namespace ropescope::gui {

/// Replaces the scene. A token other than 0 continues the step that began with the same token.
void edit_scene(AppState& state, Scene next, std::uint32_t token = 0);
void undo(AppState& state);
void redo(AppState& state);

void show_view(AppState& state, std::string_view id);
/// Sets a parameter to `text`, in the form that --set takes. Returns whether the text was accepted;
/// if not, the window shows the error and nothing changes.
bool set_value(AppState& state, std::string_view parameter, std::string_view text);
/// Changes to a model: a preset's id, a config.json or its folder. Returns whether it was loaded.
bool choose_model(AppState& state, const std::string& id_or_path);
/// Opens a file or folder that was chosen or dropped on the window: a scene file as the scene, a
/// dump of q and k in the view diagnose, weights as the model of the config.json beside them,
/// anything else as a model. "~" is the user's folder. Returns whether it was opened.
bool open_file(AppState& state, const std::string& path);
/// Opens the entry of the list of models and files; a folder is listed instead. Returns whether
/// something was opened.
bool open_entry(AppState& state, const OpenEntry& entry);
/// Asks for the GPU or the CPU. The window changes to the GPU as soon as it is open.
void choose_engine(AppState& state, bool gpu);
/// Opens the list of a parameter's values at its control.
void open_choices(AppState& state, const ChoiceList& list);
/// Opens the window's menu, or that of a parameter, at a control.
void open_menu(AppState& state, const ChoiceList& menu);
void open_overlay(AppState& state, Overlay overlay);
void close_overlay(AppState& state);

void perform(AppState& state, Action action, bool repeat);
/// Handles a click on a data point of the figure's panel with this id.
void click(AppState& state, std::string_view panel, plot::Point at);
/// The same for a button that is held down there: until end_drag() it is one step of undo.
void drag(AppState& state, std::string_view panel, plot::Point at);
void end_drag(AppState& state);
/// Follows the figure's link with this key; returns false if there is none.
bool follow_key(AppState& state, plot::Link::Key key, bool repeat);

/// Moves the animation and the notice on by `seconds`.
void advance(AppState& state, double seconds);
/// Makes the figure again if anything that its view reads has changed.
void update_figure(AppState& state);
/// From the next update_figure() on, figures are made of numbers that the program reads from the
/// GPU. The window shows the reason once.
void give_up_live_drawing(AppState& state, const std::string& why);

}  // namespace ropescope::gui
