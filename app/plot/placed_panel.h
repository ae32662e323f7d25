// The place of a panel in pixels, for drawing it and for finding what lies under the cursor.
#pragma once

#include <vector>

#include "app/plot/figure.h"
#include "app/plot/painter.h"
#include "app/plot/tracks.h"

namespace ropescope::plot {

struct PlacedPanel {
    const Panel* panel = nullptr;  ///< part of the figure, which must outlive this value
    Rect frame;                    ///< with titles and tick labels
    Rect plot;                     ///< the axes' rectangle
    Axis x, y;                     ///< with the ranges that are drawn (equal_aspect widens them)
    TrackMap columns = {}, rows = {};  ///< instead of the axes, for panels that have them
    Pixel to_pixel(Point p) const;
    Point to_data(Pixel p) const;
    /// Whether what is anchored there (0: its begin, 1: its end) is in a column and a row that are
    /// shown; true for panels without.
    bool shows(Point at, double anchor_x = 0.5, double anchor_y = 0.5) const;
};

/// The panel under the cursor; null if there is none.
const PlacedPanel* panel_at(const std::vector<PlacedPanel>& placed, Pixel cursor);

}  // namespace ropescope::plot
