// Draws dashes, arrows and sharp lines.
#include "app/plot/shapes.h"

#include <array>
#include <cmath>

namespace ropescope::plot {

namespace {

/// In units, drawn and left out in turn.
std::vector<double> lengths_of(Dash dash) {
    switch (dash) {
        case Dash::dashed:
            return {5, 4};
        case Dash::dotted:
            return {1.5, 3.5};
        case Dash::dash_dot:
            return {8, 3.5, 1.5, 3.5};
        case Dash::long_dash:
            return {13, 5};
        case Dash::none:
            break;
    }
    return {};
}

}  // namespace

void draw_line(std::span<const Pixel> path, Color color, double width, Dash dash, const Pen& pen) {
    std::vector<double> lengths = lengths_of(dash);
    if (lengths.empty()) {
        pen.painter.polyline(path, color, width);
        return;
    }
    for (double& length : lengths) {
        length = pen.px(length);
    }
    for (const Path& stroke : dashes({path.begin(), path.end()}, lengths)) {
        pen.painter.polyline(stroke, color, width);
    }
}

ArrowSize arrow_size(const Pen& pen) {
    return {.head = pen.px(5.5 * pen.theme.line_px), .width = pen.px(pen.theme.line_px * 1.25)};
}

void draw_arrow(Pixel from, Pixel to, Color color, const Pen& pen) {
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    if (!(length > 0)) {
        return;
    }
    const ArrowSize size = arrow_size(pen);
    const double head = std::min(size.head, length);
    const double half = head * 0.38;
    const Pixel along{(to.x - from.x) / length, (to.y - from.y) / length};
    const Pixel base{to.x - along.x * head, to.y - along.y * head};
    // The shaft reaches into the head, so that no seam shows between them.
    const Pixel shaft{to.x - along.x * head * 0.7, to.y - along.y * head * 0.7};
    pen.painter.line(from, shaft, color, size.width);
    const std::array<Pixel, 3> triangle = {to,
                                           {base.x - along.y * half, base.y + along.x * half},
                                           {base.x + along.y * half, base.y - along.x * half}};
    pen.painter.polygon(triangle, color);
}

void draw_horizontal(double x, double y, double width, Color color, const Pen& pen) {
    const double thick = pen.hairline();
    pen.painter.fill_rect({x, std::round(y - thick / 2), width, thick}, color);
}

void draw_vertical(double x, double y, double height, Color color, const Pen& pen) {
    const double thick = pen.hairline();
    pen.painter.fill_rect({std::round(x - thick / 2), y, thick, height}, color);
}

}  // namespace ropescope::plot
