// From a heat map's cells to the picture that a painter puts into the plot.
#pragma once

#include <vector>

#include "app/plot/layout.h"

namespace ropescope::plot {

struct Raster {
    Rect place;  ///< in pixels of the painter
    std::int64_t width = 0, height = 0;
    std::vector<Color> pixels;
    ImageView view() const { return {width, height, pixels}; }
};

/// The visible cells one by one where they are at least a pixel wide (high); otherwise, and on
/// logarithmic axes, one column (row) a pixel, the mean of the cells that begin in it: the mean
/// turns what is too fine to see into its average and makes no moire. Empty for a map without
/// cells.
Raster rasterized(const HeatMap& map, const PlacedPanel& panel, const Theme& theme);

/// The colour bar: one column, its maximum on top.
Raster color_bar_raster(const HeatMap& map, Rect place, const Theme& theme);

/// The values that the ends of the colour map stand for, as an axis.
Axis color_axis(const HeatMap& map);

}  // namespace ropescope::plot
