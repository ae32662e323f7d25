// What the user can do with the figure that is shown: a file, a recording, the command that makes
// it.
#pragma once

#include <string>
#include <vector>

#include "app/gui/state/app_state.h"

namespace ropescope::gui {

/// Writes the figure in the format that the ending of the path names, or starts to record it.
/// Returns whether it was written or is being recorded.
bool export_figure(AppState& state, const std::string& path);
void copy_command(AppState& state);
/// The same as lines of Python, for a notebook.
void copy_python(AppState& state);
/// The figure that an export draws: as it is looked at, or one panel of it. There must be a
/// picture.
plot::Figure exported_figure(AppState& state);
/// Asks the window to put the figure, as an export makes it, on the clipboard.
void copy_picture(AppState& state);

/// Endings of animations, without the dot.
const std::vector<std::string>& recorded_formats();
/// Whether the path is the name of an animation and the window records.
bool records(const AppState& state, const std::string& path);
/// What may change in a recording of the figure that is shown.
std::vector<OfferedVariation> offered_variations(const AppState& state);

}  // namespace ropescope::gui
