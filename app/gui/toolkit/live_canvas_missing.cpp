// In place of live_canvas.cpp where no engine can share its memory with the window.
#include "app/gui/toolkit/live_canvas.h"

namespace ropescope::gui {

struct LiveCanvas::Gl {};

LiveCanvas::LiveCanvas() : failure_("this build draws no figures from the memory of a GPU") {}
LiveCanvas::~LiveCanvas() = default;

std::uint32_t LiveCanvas::heat_map(const plot::RasterPlan& /*plan*/,
                                   const plot::LiveCells& /*cells*/) {
    return 0;
}

void LiveCanvas::add(ImDrawList& /*list*/, const Shape& /*shape*/) {}

void LiveCanvas::end_frame() {}

}  // namespace ropescope::gui
