// What the mouse does to how the figure is looked at, and what it shows beside itself.
#pragma once

#include <vector>

#include "app/gui/toolkit/ui.h"
#include "app/plot/draw_figure.h"

namespace ropescope::gui {

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

/// Hairlines through the mouse over axes, and the values there beside it; where the figure is
/// alone, the values of every panel.
void draw_values_at_mouse(const Ui& ui, const plot::PlacedPanel& under, plot::Pixel mouse);

}  // namespace ropescope::gui
