// Turns the cells of a heat map into the picture that a painter puts into the plot.
#pragma once

#include <vector>

#include "app/plot/placed_panel.h"

namespace ropescope::plot {

struct CellRange {
    Index begin = 0, end = 0;
    bool operator==(const CellRange&) const = default;
};

/// For each pixel of the picture the cells whose mean it shows, and the colours.
struct RasterPlan {
    Rect place;  ///< in pixels of the painter
    /// One range of cells for each column (row) of pixels, from the left (top); empty if the pixels
    /// lie beside the map.
    std::vector<CellRange> columns = {}, rows = {};
    double low = 0, high = 1;        ///< the values of the first colour and the last
    std::vector<Color> shades = {};  ///< in even steps
    Color undefined = {};            ///< of NaN
    bool operator==(const RasterPlan&) const = default;
};

/// If cells are at least a pixel wide (high), each visible cell is a column (row) of the picture.
/// If they are smaller, and on logarithmic axes, each pixel is one, and shows the mean of the cells
/// that begin in it, which avoids moire patterns. A map without cells has no columns and rows.
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

/// The range of values of the colour map, as an axis.
Axis color_axis(const HeatMap& map);

}  // namespace ropescope::plot
