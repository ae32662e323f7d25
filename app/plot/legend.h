// Legends: samples of what is drawn, with their names, in rows.
#pragma once

#include <span>
#include <vector>

#include "app/plot/figure.h"
#include "app/plot/pen.h"

namespace ropescope::plot {

struct LegendFlow {
    struct Item {
        LegendEntry entry;
        Pixel at;  ///< relative to the legend's top left
    };
    std::vector<Item> items;
    double width = 0, height = 0;
};

/// As many entries in a row as `width` allows.
LegendFlow flow_legend(std::span<const LegendEntry> entries, double width, const Pen& pen);
void draw_legend(const LegendFlow& legend, Pixel at, const Pen& pen);

}  // namespace ropescope::plot
