// Scenes in files, and what was opened last.
#pragma once

#include <string>

namespace ropescope::gui {

struct AppState;
struct Preferences;

/// Writes the scene; the ending .json is added if the path has none. Returns whether it was
/// written.
bool save_scene(AppState& state, const std::string& path);
/// Puts a path or a model's id at the front of what was opened last.
void remember_opened(AppState& state, const std::string& target);

/// What the window remembers of this state. The size of the window is the window's.
Preferences preferences_of(const AppState& state);
/// Takes theme, type size and recent files over; the scene too if `with_scene`. A scene that can no
/// longer be read is left out.
void apply_preferences(AppState& state, const Preferences& preferences, bool with_scene);

/// Whether writing to the path needs the user's word: a file is there, and the user has not been
/// asked about it. The question is then shown as the error of the overlay.
bool must_ask(AppState& state, const std::string& path);

}  // namespace ropescope::gui
