// Where a panel lies in pixels: for drawing and for the cursor.
#pragma once

#include <vector>

#include "app/plot/figure.h"
#include "app/plot/painter.h"

namespace ropescope::plot {

struct PlacedPanel {
    const Panel* panel = nullptr;  ///< in the figure, which must outlive this
    Rect frame;                    ///< with titles and tick labels
    Rect plot;                     ///< the axes' rectangle
    Axis x, y;                     ///< ranges as drawn (equal_aspect widens them)
    Pixel to_pixel(Point p) const;
    Point to_data(Pixel p) const;
};

/// The panel under the cursor; null if there is none.
const PlacedPanel* panel_at(const std::vector<PlacedPanel>& placed, Pixel cursor);

}  // namespace ropescope::plot
