// Where the panels of a figure lie, in pixels: the figure's grid, the place of each panel, and how
// its plot is shared among columns and rows of texts.
#pragma once

#include <span>
#include <vector>

#include "app/plot/figure.h"
#include "app/plot/painter.h"

namespace ropescope::plot {

// Where the frames of a figure's panels lie: the figure's grid, and what becomes of it in an area
// of another shape.

/// The part of the grid that a panel uses.
struct Cell {
    int row = 0, column = 0, row_end = 1, column_end = 1;
    bool operator==(const Cell&) const = default;
};

/// Whether both axes of the panel's map count the same things: then its cells are drawn as squares.
bool is_square_map(const Panel& panel);

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

/// The grid with rows that are at least as high as their panels need, at the expense of those that
/// have more; the same grid if there is no room for all of that. `needed` in pixels, one for each
/// panel; of a panel that spans rows it does not count.
Grid with_needed_heights(Grid grid, std::span<const double> needed, double height, double gap);

/// One frame for each panel, on whole pixels and `gap` px apart. Panels of the same cell share it:
/// in as many columns as make a square in each of them largest.
std::vector<Rect> grid_frames(const Grid& grid, Rect area, double gap);

// Shares the room of a plot among columns or rows of texts, and leaves out those that have none.

/// Where tracks lie: pieces of an axis, each stretched by itself. Empty for other axes.
struct TrackMap {
    struct Piece {
        double first = 0, last = 1;  ///< values
        double from = 0, to = 1;     ///< places, 0 .. 1; from == to: left out
    };
    std::vector<Piece> pieces;  ///< values ascend
    int left_out = 0;           ///< tracks that count and have no room

    bool empty() const { return pieces.empty(); }
    double to_unit(double value) const;
    double from_unit(double unit) const;
    /// Whether the value lies in a track that is shown.
    bool shows(double value) const;
};

/// How tracks share a length. `needed` has the length that each needs, in the same unit as `room`.
struct TrackRoom {
    double room = 0;
    double most_growth = 1e9;   ///< no track becomes longer than this many times what it needs
    bool from_the_end = false;  ///< the first track lies at the end of the axis: rows from the top
};

/// Leaves out tracks with the least `keep`, the last of them first, until the rest fits; at least
/// one stays. What is over is shared by the tracks' lengths in values.
TrackMap fit_tracks(std::span<const Track> tracks, std::span<const double> needed,
                    const TrackRoom& room);

// The place of a panel in pixels, for drawing it and for finding what lies under the cursor.

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
