// Finds controls, views and commands by a few letters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/gui/state/open_menu.h"
#include "app/scene/parameters.h"
#include "app/scene/scene.h"

namespace ropescope::gui {

struct AppState;

/// The controls of the view, all views, and what the menu offers, whose names have the letters:
/// first those that begin with them, then those whose words begin with the letters one after the
/// other ("qp" is the query position), then those that have them anywhere. All if nothing is typed.
std::vector<OpenEntry> find_entries(const AppState& state, std::string_view typed);

/// Goes to what was found: the keyboard acts on the control, the view opens, the command runs. The
/// overlay is closed.
void go_to_found(AppState& state, const OpenEntry& entry);

// Which parameters have a control in the window now, and what stands in it.

/// In the order of the view's controls: those that its figure reads in this scene. The bar shows
/// the model, the navigation the view.
std::vector<const Parameter*> shown_controls(const Scene& scene);

/// The value of a parameter as its control shows it: with gaps between thousands.
std::string shown_value(const Scene& scene, const Parameter& parameter);

}  // namespace ropescope::gui
