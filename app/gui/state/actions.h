// What a person can do, as functions on the state. No drawing, no ImGui: tests call the same.
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
/// `text` as --set takes it. An error is shown and nothing changes; true when it was accepted.
bool set_value(AppState& state, std::string_view parameter, std::string_view text);
/// A preset's id, a config.json or its folder. True when it was loaded.
bool choose_model(AppState& state, const std::string& id_or_path);
/// Writes the figure; the ending of the path gives the format. True when it was written.
bool export_figure(AppState& state, const std::string& path);
void copy_command(AppState& state);
void next_theme(AppState& state);
/// The window then computes on it, as soon as it is open.
void choose_engine(AppState& state, bool gpu);
void open_overlay(AppState& state, Overlay overlay);
void close_overlay(AppState& state);

void perform(AppState& state, Action action, bool repeat);
/// A click on a data point of the figure's panel with this id.
void click(AppState& state, std::string_view panel, plot::Point at);
/// The figure's link with this key; false when it has none.
bool follow_key(AppState& state, plot::Link::Key key, bool repeat);

/// Time passes: the animation, the notice.
void advance(AppState& state, double seconds);
/// Makes the figure again if anything that its view reads has changed.
void update_figure(AppState& state);
/// Figures are made of numbers that are read, from the next update_figure() on; says why, once.
void give_up_live_drawing(AppState& state, const std::string& why);

}  // namespace ropescope::gui
