// From a heat map's cells to the picture that a painter puts into the plot.
#pragma once

#include <vector>

#include "app/plot/placed_panel.h"

namespace ropescope::plot {

struct CellRange {
    Index begin = 0, end = 0;
    bool operator==(const CellRange&) const = default;
};

/// Which cells each pixel of the picture is the mean of, and the colours.
struct RasterPlan {
    Rect place;  ///< in pixels of the painter
    /// A column (row) of pixels each, from the left (top); empty: beside the map.
    std::vector<CellRange> columns = {}, rows = {};
    double low = 0, high = 1;        ///< the values of the first colour and the last
    std::vector<Color> shades = {};  ///< in even steps
    Color undefined = {};            ///< of NaN
    bool operator==(const RasterPlan&) const = default;
};

/// The visible cells one by one where they are at least a pixel wide (high); otherwise, and on
/// logarithmic axes, one column (row) a pixel, the mean of the cells that begin in it: the mean
/// turns what is too fine to see into its average and makes no moire. No columns and rows for a map
/// without cells.
RasterPlan plan_raster(const HeatMap& map, const PlacedPanel& panel, const Theme& theme);

struct Raster {
    Rect place;  ///< in pixels of the painter
    Index width = 0, height = 0;
    std::vector<Color> pixels;
    ImageView view() const { return {width, height, pixels}; }
};

/// As plan_raster() says. Empty for a map without cells.
Raster rasterized(const HeatMap& map, const PlacedPanel& panel, const Theme& theme);

/// The colour bar: one column, its maximum on top.
Raster color_bar_raster(const HeatMap& map, Rect place, const Theme& theme);

/// The values that the ends of the colour map stand for, as an axis.
Axis color_axis(const HeatMap& map);

}  // namespace ropescope::plot
