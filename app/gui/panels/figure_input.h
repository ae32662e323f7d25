// What the mouse and the keys do to how the figure is looked at, and what it shows beside itself.
#pragma once

#include <optional>
#include <vector>

#include "app/gui/panels/panels.h"
#include "app/gui/toolkit/ui.h"
#include "app/plot/draw_figure.h"

namespace ropescope::gui {

// What the mouse does to how the figure is looked at, and what it shows beside itself.

/// Areas over the names of lines: a click hides the line or shows it again. Call it before the
/// figure's own area is made, which lies below them.
void draw_name_areas(Ui& ui, const std::vector<plot::NamePlace>& names);
/// A button in the corner of each enlarged panel that shows the whole panel again.
void draw_fit_buttons(Ui& ui, const std::vector<plot::PlacedPanel>& panels);

/// The wheel zooms at the cursor (beside the axes: along one of them), dragging pulls what the
/// panel shows, and a double click fits. Returns whether the press that is held or has just ended
/// is used up, so that it is no click.
bool look_around(Ui& ui, const Touch& touch, const std::vector<plot::PlacedPanel>& panels,
                 plot::Pixel mouse);

/// Hairlines through the place over axes; and beside it the values there, if the list of the
/// controls does not show them all.
void draw_values_at(const Ui& ui, const plot::PlacedPanel& panel, plot::Pixel at);

// The figure by the keyboard: Enter goes into it, arrows move a cursor, whose values are shown.

/// Follows the keys while the figure has the focus. Returns the place of the cursor, in pixels, if
/// the user has gone into the figure; Enter does there what a click does.
std::optional<plot::Pixel> follow_figure_keys(Ui& ui, const Touch& touch,
                                              const std::vector<plot::PlacedPanel>& panels);

}  // namespace ropescope::gui
