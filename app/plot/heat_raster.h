// Turns the cells of a heat map into the picture that a painter puts into the plot.
#pragma once

#include <vector>

#include "app/plot/placed_panel.h"

namespace ropescope::plot {

/// Neighbouring cells, and the shares of the first and of the last with which they count; 1 for
/// those between, and for a cell that is alone.
struct CellRange {
    Index begin = 0, end = 0;
    float first = 1, last = 1;
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
/// If they are smaller, each pixel shows the mean of what it covers of them, and of two cells at
/// least. Without this pixels would show stripes that the map has not (moire): a pattern of period
/// p cells is damped by |sin(x) / x|, x = pi w / p, over w cells, and the fastest, p = 2, vanishes
/// at w = 2, where a pixel of little more than one cell would show it in some places and not in
/// others. On logarithmic axes each pixel is a column, too, and one that covers less than a cell
/// shows the cell at its begin. A map without cells has no columns and rows.
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
