// The figure's title, subtitle and legend above its panels.
#pragma once

#include <string>
#include <vector>

#include "app/plot/legend.h"
#include "app/plot/pen.h"

namespace ropescope::plot {

struct Header {
    std::vector<std::string> title, subtitle;  ///< lines that fit
    LegendFlow legend;
    TextStyle title_style;
    Pixel title_at, subtitle_at, legend_at;
    Rect below;  ///< what is left of the area for the panels
};

/// Title, then subtitle with the legend at its right end or below it; gives up the subtitle and the
/// legend, then the title, where they would take more than a third of the area.
Header lay_out_header(const Figure& figure, Rect area, const Pen& pen);
void draw_header(const Header& header, const Pen& pen);

}  // namespace ropescope::plot
