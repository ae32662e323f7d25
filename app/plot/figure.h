// A figure as data: it says what is drawn in data coordinates and by meaning, without pixels,
// colours or fonts. The window, the exporters and the tests all read this one value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/plot/color.h"
#include "app/plot/painter.h"
#include "app/plot/sentence.h"
#include "core/base/index.h"
#include "core/base/variant.h"

namespace ropescope::plot {

struct Point {
    double x = 0, y = 0;
    bool operator==(const Point&) const = default;
};

enum class AxisScale { linear, log10 };

/// min > max is allowed: the axis then runs the other way (row 0 of a table on top).
struct Axis {
    Text label = {};  ///< with its unit: "position (tokens)"
    double min = 0, max = 1;
    AxisScale scale = AxisScale::linear;
    bool visible = true;  ///< false: no ticks, no labels, no grid
    /// Ticks at whole numbers only; on a logarithmic axis at powers of two.
    bool integers = false;
    bool signs = false;  ///< ticks above zero are written with '+': distances
};

/// How a line is broken, so that it can be told from others without its colour.
enum class Dash : std::uint8_t { none, dashed, dotted, dash_dot, long_dash };

struct Line {
    std::vector<Point> points = {};
    Role role = Role::query;
    double width = 1;  ///< times the theme's line width
    Dash dash = Dash::none;
    double opacity = 1;
    Text label = {};            ///< named directly at the end of the line, or in the legend
    bool of_selection = false;  ///< shows what is selected, and not in a bare picture
};

struct Points {
    std::vector<Point> points = {};
    LivePoints live = {};  ///< instead of `points`, on linear axes
    Role role = Role::query;
    double radius_px = 3;
    /// > 0: the radius is at most this, in units of both (linear) axes, so that crowded points stay
    /// apart.
    double most_radius = 0;
    bool ring = false;  ///< outlined, filled with the panel's colour
    double opacity = 1;
    double opacity_first =
        -1;  ///< >= 0: opacity runs from this at the first point to `opacity` at the last
    Text label = {};
    bool of_selection = false;
};

/// Arrow from `from` to `to`.
struct Vector {
    Point from = {}, to = {};
    LivePoints live_to = {};  ///< if it has a point, the arrow ends there; `to` places the label
    Role role = Role::query;
    Text label = {};
};

/// Part of a circle around `center`, angles in radians, counter-clockwise from +x, drawn from first
/// to last.
struct Arc {
    Point center = {};
    double radius = 1;
    double first_rad = 0, last_rad = 6.283185307179586;
    Role role = Role::line;
    double width = 0.5;
};

/// Horizontal or vertical line across the whole panel.
struct Rule {
    bool vertical = true;
    double at = 0;
    Role role = Role::dim;
    bool dashed = true;
    Text label = {};
    bool of_selection = false;
};

/// Filled range of x or y across the whole panel.
struct Band {
    bool vertical = true;  ///< an x range
    double first = 0, last = 1;
    Role role = Role::selected;
    double opacity = 0.5;
    Text label = {};
    bool of_selection = false;
};

/// The area between two curves over the same x, below the grid.
struct Area {
    std::vector<Point> low = {}, high = {};  ///< equally many, x ascending
    Role role = Role::query;
    double opacity = 0.25;
};

/// Text at a data point. anchor_x/y: 0 left/bottom, 0.5 centre, 1 right/top of the text lies on the
/// point.
struct Label {
    Point at;
    Text text;
    /// Stands instead, with those of the other words along its axis, where one of them has no room.
    Text brief = {};
    Role role = Role::text;
    double anchor_x = 0, anchor_y = 0;
    bool mono = false;
    double width = 0;    ///< > 0: cut with an ellipsis at this much of x
    bool whole = false;  ///< left out instead of cut
    double height = 0;   ///< > 0: left out if it is taller than this much of y
    double smallest =
        1;               ///< written smaller, down to this share of its size, before it is left out
    double away_px = 0;  ///< moved away from the point, to the side where the text lies
    bool may_move = false;  ///< up, down or to the other side, to where it covers least
    bool of_selection = false;
};

/// Named texts below each other that fill the panel. The names have a column of their own; beside
/// it each text is broken into as many lines as fit.
struct Facts {
    struct Fact {
        std::string name;
        Text text;
        Role role = Role::text;
    };
    std::vector<Fact> rows;
};

/// values[row * columns + column]; cell (column, row) covers x [x0 + column*dx, +dx], y likewise.
/// Cells smaller than a pixel are averaged (heat_raster.h). NaN is grey; infinities have the
/// colours at the ends of the map.
struct HeatMap {
    std::int64_t columns = 0, rows = 0;
    std::vector<float> values = {};
    LiveCells live = {};  ///< instead of `values`
    double x0 = 0, y0 = 0, dx = 1, dy = 1;
    double min = 0, max = 1;
    ColorMap map = ColorMap::viridis;
    Text label = {};  ///< of the colour bar, with the unit
};

using Mark = std::variant<Band, Area, HeatMap, Line, Points, Vector, Arc, Rule, Label, Facts>;

/// A column or a row of texts in a panel without axes, in data coordinates.
struct Track {
    double first = 0, last = 1;
    int keep = 0;         ///< where there is no room, tracks with the least are left out first
    double least_px = 0;  ///< it needs this much room; 0: as much as its longest text
    bool counted = true;  ///< whether it is counted when it is left out; not so headings
};

/// Short text in a corner of a panel: "pair 8", "lambda 19.9".
struct CornerTexts {
    Text top_left = {}, top_right = {}, bottom_left = {}, bottom_right = {};
};

struct Panel {
    std::string id;   ///< stable name for clicks and tests: "pair.8", "score"
    Text title = {};  ///< inside the panel, top left
    CornerTexts corners = {};
    Axis x = {}, y = {};
    bool equal_aspect = false;
    bool selected = false;   ///< border in the accent colour
    bool color_bar = false;  ///< for the panel's heat map
    std::vector<Mark> marks = {};
    /// If there are columns or rows, they share the plot: each has the room that its texts need,
    /// and those that have no room are left out whole, with a line that says how many.
    std::vector<Track> columns = {}, rows = {};
    // Place on the figure's grid. Panels of the same place share it, as a wall of tiles.
    int row = 0, column = 0, row_span = 1, column_span = 1;
};

struct LegendEntry {
    Text label = {};
    Role role = Role::query;
    enum class Kind { line, arrow, point, ring, box } kind = Kind::line;
    Dash dash = Dash::none;  ///< of a line
};

/// The numbers behind a figure, as CSV gives them out. All columns have the same length.
struct Column {
    std::string name;  ///< with its unit as suffix: "inv_freq_rad", "wavelength_positions"
    Variant<std::vector<double>, std::vector<std::int64_t>, std::vector<std::string>> values;
};
struct DataTable {
    std::vector<Column> columns;
};

/// A value shown when the cursor is over a panel.
struct Readout {
    std::string name;
    Text value;
};

/// A key or a turn of the wheel that applies settings to the scene (as --set does).
struct Link {
    enum class Key { none, up, down, left, right, page_up, page_down, enter, wheel_up, wheel_down };
    Key key = Key::none;
    std::vector<std::string> settings = {};  ///< "name=value"
};

struct Figure {
    std::string view = {};
    Text title = {};     ///< one sentence that says what the picture means
    Text subtitle = {};  ///< what is drawn
    std::vector<LegendEntry> legend = {};
    std::vector<Panel> panels = {};
    std::vector<double> row_weights = {};  ///< relative heights; size = number of grid rows
    std::vector<double> column_weights = {};
    DataTable data = {};  ///< -> CSV
    std::vector<Link> links = {};
    Text report = {};  ///< -> txt: for people who read it instead of the picture
    /// Seconds spent waiting for an engine; empty if the figure was made without one.
    std::optional<double> engine_seconds = {};
};

/// Whether a part of the figure is drawn from an engine's memory. Such a figure has no data and no
/// report.
bool is_live(const Figure& figure);

/// Says of the marks from this one on that they show what is selected.
void mark_selection(std::vector<Mark>& marks, std::size_t first);
/// The figure without its marks of what is selected, and without borders in the accent colour.
Figure without_selection(Figure figure);

/// The link with that key; null if there is none.
const Link* link_of(const Figure& figure, Link::Key key);

}  // namespace ropescope::plot
