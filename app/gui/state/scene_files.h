// Scenes in files, and what was opened last.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

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

// "~" in paths that people type.

/// The path with a leading "~" replaced by the folder that HOME names, as a shell does it for "~"
/// and "~/...". Any other text is returned as it is, as is every text if HOME is not set.
std::string without_tilde(std::string_view path);

/// Whether a text that people type is meant as a path: it begins with "/", "~", "./" or "../".
bool looks_like_path(std::string_view text);

// What a file is that a user opens or drops on the window.

/// Whether the file is a .npz, or a .safetensors in which a tensor is named like a rotated query or
/// key (q_rot, k_rot) or none like a weight (with a dot), so that it is diagnosed, or the diagnosis
/// says what is missing. False for everything else, and for what cannot be read.
bool is_dump_file(const std::filesystem::path& path);

/// Whether the file is a scene file. False for everything else, and for what cannot be read.
bool is_scene_file(const std::filesystem::path& path);

/// What is opened for a .safetensors file that is no dump: the folder that it lies in, if there is
/// a config.json beside it. Any other path is returned as it is.
std::filesystem::path model_of(const std::filesystem::path& path);

}  // namespace ropescope::gui
