// Names at the ends of lines instead of a legend.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/plot/painter.h"
#include "app/plot/placed_panel.h"

namespace ropescope::plot {

/// A mark's name and where the mark is last seen, in units of its axes (0 .. 1, y up).
struct EndName {
    LegendEntry entry;
    Point end;
    /// Several points that no line joins: none of them is where the name belongs.
    bool scattered = false;
    /// Whether the mark reaches the right border. Then its name stands beside the plot, otherwise
    /// inside.
    bool beside() const { return end.x > 0.96; }
};

/// The names of the panel's lines and points, each once, without those that the figure's legend
/// shows already and without marks that are not visible.
std::vector<EndName> end_names(const PlacedPanel& placed, std::span<const LegendEntry> legend);

/// The tops of labels of this height, as near to `wishes` as they can be without overlapping, and
/// inside [low, high] if they fit there. `wishes` must ascend.
std::vector<double> spread(std::span<const double> wishes, double height, double low, double high);

/// Draws the names that stand beside the plot, each at the height where its line leaves it. Returns
/// where they stand, by name.
std::vector<std::pair<std::string, Rect>> draw_end_labels(const PlacedPanel& placed,
                                                          std::span<const EndName> names,
                                                          const Pen& pen);

}  // namespace ropescope::plot
