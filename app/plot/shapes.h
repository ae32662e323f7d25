// Lines, made ready for a painter and drawn.
#pragma once

#include <span>
#include <vector>

#include "app/plot/figure.h"
#include "app/plot/painter.h"

namespace ropescope::plot {

/// A line, broken as `dash` says.
void draw_line(std::span<const Pixel> path, Color color, double width, Dash dash, const Pen& pen);

/// An arrow with a filled head at `to`. If the arrow is shorter than a head, the head is shortened.
void draw_arrow(Pixel from, Pixel to, Color color, const Pen& pen);
ArrowSize arrow_size(const Pen& pen);

/// A ring through which one sees what lies behind it.
void draw_open_ring(Pixel center, double radius, Color color, const Pen& pen);

/// Lines on whole pixels, which stay sharp under any antialiasing.
void draw_horizontal(double x, double y, double width, Color color, const Pen& pen);
void draw_vertical(double x, double y, double height, Color color, const Pen& pen);

using Path = std::vector<Pixel>;

/// Splits a polyline into runs of finite points and cuts them at the borders of `window`, so that a
/// painter never gets coordinates such as 1e300 px.
std::vector<Path> visible_runs(std::span<const Pixel> points, Rect window);

/// Keeps, of successive points within one pixel column, the first, the lowest, the highest and the
/// last, in their order: the drawn line covers the same pixels.
Path decimated(const Path& path);

/// The strokes of a broken path by arc length: lengths in px that are drawn and left out in turn,
/// which repeat. An even number of positive lengths.
std::vector<Path> dashes(const Path& path, std::span<const double> lengths);

}  // namespace ropescope::plot
