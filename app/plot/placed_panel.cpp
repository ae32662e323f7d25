// Converts between the data of a panel and pixels, and finds the panel under the cursor.
#include "app/plot/placed_panel.h"

#include <algorithm>

#include "app/plot/axis.h"

namespace ropescope::plot {

Pixel PlacedPanel::to_pixel(Point p) const {
    const double right = columns.empty() ? to_unit(x, p.x) : columns.to_unit(p.x);
    const double up = rows.empty() ? to_unit(y, p.y) : rows.to_unit(p.y);
    return {plot.x + right * plot.width, plot.y + (1 - up) * plot.height};
}

Point PlacedPanel::to_data(Pixel p) const {
    const double right = (p.x - plot.x) / plot.width, up = 1 - (p.y - plot.y) / plot.height;
    return {columns.empty() ? from_unit(x, right) : columns.from_unit(right),
            rows.empty() ? from_unit(y, up) : rows.from_unit(up)};
}

bool PlacedPanel::shows(Point at, double anchor_x, double anchor_y) const {
    // At a border between two tracks the words lie in one of them.
    constexpr double kTouch = 1e-6;
    const auto inside = [](const TrackMap& map, double value, double anchor) {
        return map.empty() || map.shows(value + (1 - 2 * anchor) * kTouch);
    };
    return inside(columns, at.x, anchor_x) && inside(rows, at.y, anchor_y);
}

const PlacedPanel* panel_at(const std::vector<PlacedPanel>& placed, Pixel cursor) {
    const auto found = std::ranges::find_if(
        placed, [&](const PlacedPanel& panel) { return panel.frame.contains(cursor); });
    return found == placed.end() ? nullptr : &*found;
}

}  // namespace ropescope::plot
