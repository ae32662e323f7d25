// Names at the ends of lines instead of a legend.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/plot/pen.h"
#include "app/plot/placed_panel.h"

namespace ropescope::plot {

/// A mark's name and where the mark is last seen, in units of its axes (0 .. 1, y up).
struct EndName {
    LegendEntry entry;
    Point end;
    /// The mark reaches the right border: its name stands beside the plot, else inside.
    bool beside() const { return end.x > 0.96; }
};

/// The names that the panel's lines and points want and the figure's legend does not give already,
/// each once. Marks that are nowhere seen have none.
std::vector<EndName> end_names(const PlacedPanel& placed, std::span<const LegendEntry> legend);

/// Tops of labels `height` high as near to their wishes as they can be without overlapping, inside
/// [low, high] if they fit at all. `wishes` ascend.
std::vector<double> spread(std::span<const double> wishes, double height, double low, double high);

/// Draws the names that stand beside the plot, each at the height where its line leaves it.
void draw_end_labels(const PlacedPanel& placed, std::span<const EndName> names, const Pen& pen);

}  // namespace ropescope::plot
