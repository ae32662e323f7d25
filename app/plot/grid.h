// Where the panels' frames lie.
#pragma once

#include <vector>

#include "app/plot/figure.h"
#include "app/plot/painter.h"

namespace ropescope::plot {

/// Grid cells actually used, after putting wild values in order.
struct Cell {
    int row = 0, column = 0, row_end = 1, column_end = 1;
};
Cell cell_of(const Panel& panel);

/// One frame a panel on whole pixels, `gap` px apart; weights that are missing or not positive
/// count as 1.
std::vector<Rect> grid_frames(const Figure& figure, Rect area, double gap);

}  // namespace ropescope::plot
