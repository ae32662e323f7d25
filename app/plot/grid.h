// Places the frames of the panels on a grid.
#pragma once

#include <vector>

#include "app/plot/figure.h"
#include "app/plot/painter.h"

namespace ropescope::plot {

/// The cells of the grid that a panel uses; values out of range are corrected.
struct Cell {
    int row = 0, column = 0, row_end = 1, column_end = 1;
};
Cell cell_of(const Panel& panel);

/// One frame for each panel, on whole pixels and `gap` px apart. Weights that are missing or not
/// positive count as 1.
std::vector<Rect> grid_frames(const Figure& figure, Rect area, double gap);

}  // namespace ropescope::plot
