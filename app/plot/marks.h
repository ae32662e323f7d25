// Draws what a panel shows, but for the words.
#pragma once

#include "app/plot/pen.h"
#include "app/plot/placed_panel.h"

namespace ropescope::plot {

/// Bands and heat maps: below the grid lines.
void draw_ground(const PlacedPanel& placed, const Pen& pen);
/// Everything else but words: above them.
void draw_marks(const PlacedPanel& placed, const Pen& pen);

}  // namespace ropescope::plot
