// What the user can do with the figure that is shown: a file, a recording, the command that makes
// it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/state/app_state.h"
#include "core/base/enum_names.h"

namespace ropescope {
namespace gui {

/// What an export is for. A paper has one panel in the width of a column, on no ground of its own,
/// and says in its caption what a title says.
enum class ExportPurpose { screen, paper };

}  // namespace gui

template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<gui::ExportPurpose> = {"a screen",
                                                                                   "a paper"};
}  // namespace ropescope

namespace ropescope::gui {

/// Writes the figure in the format that the ending of the path names, or starts to record it.
/// Returns whether it was written or is being recorded.
bool export_figure(AppState& state, const std::string& path);

/// Chooses the settings, the panel and the format for a purpose; each can then be changed.
void prepare_export(AppState& state, ExportPurpose purpose);
/// The purpose whose settings are chosen now, if they are those of one.
std::optional<ExportPurpose> export_purpose(const AppState& state);
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
