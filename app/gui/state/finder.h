// Finds controls, views and commands by a few letters.
#pragma once

#include <string_view>
#include <vector>

#include "app/gui/state/open_menu.h"

namespace ropescope::gui {

struct AppState;

/// The controls of the view, all views, and what the menu offers, whose names have the letters:
/// first those that begin with them, then those whose words begin with the letters one after the
/// other ("qp" is the query position), then those that have them anywhere. All if nothing is typed.
std::vector<OpenEntry> find_entries(const AppState& state, std::string_view typed);

/// Goes to what was found: the keyboard acts on the control, the view opens, the command runs. The
/// overlay is closed.
void go_to_found(AppState& state, const OpenEntry& entry);

}  // namespace ropescope::gui
