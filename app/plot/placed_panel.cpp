// Converts between the data of a panel and pixels, and finds the panel under the cursor.
#include "app/plot/placed_panel.h"

#include <algorithm>

#include "app/plot/axis.h"

namespace ropescope::plot {

Pixel PlacedPanel::to_pixel(Point p) const {
    return {plot.x + to_unit(x, p.x) * plot.width, plot.y + (1 - to_unit(y, p.y)) * plot.height};
}

Point PlacedPanel::to_data(Pixel p) const {
    return {from_unit(x, (p.x - plot.x) / plot.width),
            from_unit(y, 1 - (p.y - plot.y) / plot.height)};
}

const PlacedPanel* panel_at(const std::vector<PlacedPanel>& placed, Pixel cursor) {
    const auto found = std::ranges::find_if(
        placed, [&](const PlacedPanel& panel) { return panel.frame.contains(cursor); });
    return found == placed.end() ? nullptr : &*found;
}

}  // namespace ropescope::plot
