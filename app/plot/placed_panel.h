// The place of a panel in pixels, for drawing it and for finding what lies under the cursor.
#pragma once

#include <vector>

#include "app/plot/figure.h"
#include "app/plot/painter.h"

namespace ropescope::plot {

struct PlacedPanel {
    const Panel* panel = nullptr;  ///< part of the figure, which must outlive this value
    Rect frame;                    ///< with titles and tick labels
    Rect plot;                     ///< the axes' rectangle
    Axis x, y;                     ///< with the ranges that are drawn (equal_aspect widens them)
    Pixel to_pixel(Point p) const;
    Point to_data(Pixel p) const;
};

/// The panel under the cursor; null if there is none.
const PlacedPanel* panel_at(const std::vector<PlacedPanel>& placed, Pixel cursor);

}  // namespace ropescope::plot
