// Draws what a panel shows: marks, then words and facts. Sources: marks.cpp, labels.cpp.
#pragma once

#include <span>

#include "app/plot/end_names.h"
#include "app/plot/figure.h"
#include "app/plot/painter.h"
#include "app/plot/placed_panel.h"

namespace ropescope::plot {

/// Draws bands and heat maps, which lie below the grid lines.
void draw_ground(const PlacedPanel& placed, const Pen& pen);
/// Draws everything else but words, above the grid lines.
void draw_marks(const PlacedPanel& placed, const Pen& pen);

/// Draws the names of rules, bands and vectors, labels, and names of lines that end inside the
/// plot. They stay inside the panel. If there is a choice of places, they avoid each other, the
/// places `taken` by other words, and the lines.
void draw_annotations(const PlacedPanel& placed, std::span<const EndName> names,
                      std::span<const Rect> taken, const Pen& pen);

}  // namespace ropescope::plot
