// How the window is arranged in a lecture hall (F5): type that grows with the window, whether the
// figure has its main panels alone (app/lessons/main_panels.h), and the controls that the step
// needs.
#pragma once

#include <string>
#include <vector>

#include "app/gui/state/app_state.h"
#include "app/plot/color.h"
#include "app/plot/painter.h"
#include "app/scene/parameters.h"

namespace ropescope::gui {

/// Whether the window is arranged for a hall. A page that shows the figure alone is not.
bool in_hall(const AppState& state);

/// Whether its letters have a share of the window's height: those of a hall, and of the projector
/// theme, but for somebody who opened the explanation and reads it at the desk.
bool has_hall_type(const AppState& state);

/// Pixels of a unit of type in a window of this size, so that the smallest letters have the same
/// share of the height under every theme. In a narrow window they have that of its width.
double hall_scale(double width, double height, const plot::Theme& theme);

/// Whether a window of this size has too little room for all panels: under the projector theme
/// below about 1750 pixels of width, and with a lesson open below 840 units of height.
bool shows_main_panels(const AppState& state, plot::Pixel size);

/// The controls below the figure, at most three, beside a lesson two: those that the task of the
/// open lesson's step moves, or else the first sliders of the view. One that was looked for by its
/// name stands before them.
std::vector<const Parameter*> hall_controls(const AppState& state);

}  // namespace ropescope::gui
