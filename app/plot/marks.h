// Drawing what a panel shows.
#pragma once

#include <span>

#include "app/plot/end_labels.h"
#include "app/plot/layout.h"
#include "app/plot/pen.h"

namespace ropescope::plot {

/// Bands and heat maps: below the grid lines.
void draw_ground(const PlacedPanel& placed, const Pen& pen);
/// Everything else but words: above them.
void draw_marks(const PlacedPanel& placed, const Pen& pen);
/// Names of rules, bands and vectors, labels, and names of lines that end inside the plot: kept in
/// the panel and, where they have a choice, off each other, off what is `taken` by other words, and
/// off the lines.
void draw_annotations(const PlacedPanel& placed, std::span<const EndName> names,
                      std::span<const Rect> taken, const Pen& pen);

}  // namespace ropescope::plot
