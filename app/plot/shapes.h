// Shapes made of a painter's primitives.
#pragma once

#include <span>

#include "app/plot/pen.h"

namespace ropescope::plot {

void draw_dashed(std::span<const Pixel> path, Color color, double width, const Pen& pen);

/// With a filled head at `to`; shorter heads for arrows shorter than a head.
void draw_arrow(Pixel from, Pixel to, Color color, const Pen& pen);
ArrowSize arrow_size(const Pen& pen);

/// Sharp lines: whole pixels, whatever the painter's antialiasing.
void draw_horizontal(double x, double y, double width, Color color, const Pen& pen);
void draw_vertical(double x, double y, double height, Color color, const Pen& pen);

}  // namespace ropescope::plot
