// The figure's title, subtitle and legend above its panels. Sources: header.cpp, legend.cpp.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/plot/figure.h"
#include "app/plot/pen.h"

namespace ropescope::plot {

struct LegendFlow {
    struct Item {
        LegendEntry entry;
        Pixel at;          ///< relative to the legend's top left
        std::string name;  ///< the entry's label before it was cut
    };
    std::vector<Item> items;
    double width = 0, height = 0;
};

/// Puts as many entries into a row as `width` allows.
LegendFlow flow_legend(std::span<const LegendEntry> entries, double width, const Pen& pen);
void draw_legend(const LegendFlow& legend, Pixel at, const Pen& pen);
/// Where the entries of a legend at this place lie, one rectangle each.
std::vector<Rect> legend_places(const LegendFlow& legend, Pixel at, const Pen& pen);

struct Header {
    std::vector<std::string> title, subtitle;  ///< lines that fit
    LegendFlow legend;
    TextStyle title_style;
    Pixel title_at, subtitle_at, legend_at;
    Rect below;  ///< what is left of the area for the panels
};

/// Places the title, then the subtitle with the legend at its right end or below it. If they would
/// take more than a third of the area, the subtitle and the legend are left out, then the title.
Header lay_out_header(const Figure& figure, Rect area, const Pen& pen);
void draw_header(const Header& header, const Pen& pen);

}  // namespace ropescope::plot
