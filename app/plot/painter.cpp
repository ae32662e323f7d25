// Refuses, for painters of files, what only the painter of a window can draw.
#include "app/plot/painter.h"

#include <stdexcept>

namespace ropescope::plot {
namespace {

[[noreturn]] void refuse() {
    throw std::logic_error(
        "a figure that lies in an engine's memory cannot be drawn by this painter");
}

}  // namespace

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
