// Where the frames of a figure's panels lie: the figure's grid, and what becomes of it in an area
// of another shape.
#pragma once

#include <span>
#include <vector>

#include "app/plot/figure.h"
#include "app/plot/painter.h"

namespace ropescope::plot {

/// The part of the grid that a panel uses.
struct Cell {
    int row = 0, column = 0, row_end = 1, column_end = 1;
    bool operator==(const Cell&) const = default;
};

struct Grid {
    std::vector<Cell> cells = {};                               ///< one for each panel
    std::vector<double> row_weights = {}, column_weights = {};  ///< finite and above 0
};

/// The figure's own grid; places out of range are corrected, and weights that are missing or not
/// positive count as 1.
Grid grid_of(const Figure& figure);

/// A figure's own grid, or all its cells below each other in the order of their panels, where a
/// panel with axes would be too narrow to be read and the area is high enough: on a phone, or in a
/// column of a paper. `gap` and `unit` in pixels.
Grid grid_for(const Grid& own, std::span<const Panel> panels, Rect area, double gap, double unit);

/// One frame for each panel, on whole pixels and `gap` px apart. Panels of the same cell share it:
/// in as many columns as make a square in each of them largest.
std::vector<Rect> grid_frames(const Grid& grid, Rect area, double gap);

}  // namespace ropescope::plot
