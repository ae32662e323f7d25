// What painters need not do themselves: broken lines as strokes, and for painters of files to
// refuse what only the painter of a window can draw.
#include "app/plot/painter.h"

#include <stdexcept>

#include "app/plot/shapes.h"

namespace ropescope::plot {
namespace {

[[noreturn]] void refuse() {
    throw std::logic_error(
        "a figure that lies in an engine's memory cannot be drawn by this painter");
}

}  // namespace

void Painter::dashed(std::span<const Pixel> points, Color color, double width,
                     std::span<const double> lengths) {
    for (const Path& stroke : dashes({points.begin(), points.end()}, lengths)) {
        polyline(stroke, color, width);
    }
}

void Painter::live_map(const RasterPlan&, const LiveCells&) {
    refuse();
}

void Painter::live_dots(const LivePoints&, const Placement&, double, Color, Color) {
    refuse();
}

void Painter::live_arrow(Pixel, const LivePoints&, const Placement&, Color, ArrowSize) {
    refuse();
}

}  // namespace ropescope::plot
