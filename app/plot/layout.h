// From a figure to pixels: where its panels lie, their ticks, legends and colour bars, and drawing
// them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/plot/figure.h"
#include "app/plot/painter.h"

namespace ropescope::plot {

struct Tick {
    double value = 0;
    std::string label;
    bool major = true;
};
/// Ticks at 1, 2, 5 x 10^k (whole decades and 2, 5 minors for log axes; powers of two for 16
/// whole numbers and more), at most about `most` majors, inside drawable(axis),
/// ascending. Labels are rich text: "10^{-8}".
std::vector<Tick> make_ticks(const Axis& axis, int most);

/// The axis with a range that can be drawn: finite, not empty, positive where it is logarithmic.
Axis drawable(Axis axis);
/// Where a value lies on a drawable axis: 0 at min, 1 at max. NaN for what has no place there.
double to_unit(const Axis& axis, double value);
double from_unit(const Axis& axis, double unit);

/// "10 000", "−0.3162", "6.3e-08": short, thin spaces (U+2009) between thousands, four significant
/// digits; the part before the point is never rounded away below 1e9.
std::string number_text(double value);
/// "10 000", "1.0001", "1e-300": every digit that makes the value.
std::string exact_number_text(double value);

/// Where a panel came to lie: converts between its data and pixels, for drawing and for the cursor.
struct PlacedPanel {
    const Panel* panel = nullptr;
    Rect frame;  ///< with titles and tick labels
    Rect plot;   ///< the axes' rectangle
    Axis x, y;   ///< ranges as drawn (equal_aspect widens them)
    Pixel to_pixel(Point p) const;
    Point to_data(Pixel p) const;
};

/// Pure: the same figure, area, theme and text metrics give the same places. `with_title` draws the
/// figure's title, subtitle and legend too (the window does the same).
std::vector<PlacedPanel> place_panels(const Figure& figure, Rect area, const Theme& theme,
                                      double scale, Painter& metrics, bool with_title = true);

/// Draws the figure into `area`. `scale` multiplies type and line sizes. Returns where its panels
/// lie: what place_panels() returns.
std::vector<PlacedPanel> draw_figure(const Figure& figure, Rect area, const Theme& theme,
                                     double scale, Painter& painter, bool with_title = true);

/// The panel under the cursor, if any.
const PlacedPanel* panel_at(const std::vector<PlacedPanel>& placed, Pixel cursor);

/// "base^{-2i/d}" and "q_{m}" become runs with raised and lowered smaller text. Returns the width
/// drawn. '^' and '_' without a brace stand for themselves: "head_dim".
double draw_rich_text(Pixel at, std::string_view markup, const TextStyle& style, Painter& painter);
/// Width drawn, and the height of the line without what is raised or lowered out of it.
Pixel rich_text_size(std::string_view markup, const TextStyle& style, Painter& painter);

}  // namespace ropescope::plot
