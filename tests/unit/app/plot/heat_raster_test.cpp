// Which cells of a heat map a pixel shows, and with which shares.
#include "app/plot/heat_raster.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "core/base/index.h"

namespace ropescope::plot {
namespace {

constexpr Index kPixels = 100;

/// One row of cells on 100 pixels.
PlacedPanel on_pixels(Axis x) {
    return {nullptr, {}, {0, 0, to_double(kPixels), 10}, std::move(x), {.min = 0, .max = 1}};
}

HeatMap one_row(Index columns) {
    HeatMap map{.columns = columns, .rows = 1, .min = -1, .max = 1};
    map.map = ColorMap::diverging;
    for (Index i = 0; i < columns; ++i) {
        map.values.push_back(i % 2 == 0 ? 1.0F : -1.0F);
    }
    return map;
}

Raster drawn(const HeatMap& map) {
    return rasterized(map, on_pixels({.min = 0, .max = to_double(map.columns)}), light_theme());
}

/// The finest stripes that cells can hold are no stripes of pixels: neither at two cells a pixel,
/// where each pixel covers both kinds, nor at a little more than one, where only some do.
TEST(HeatRaster, StripesOfSingleCellsAreTheMiddleColour) {
    const Color middle = sample(ColorMap::diverging, 0.5, light_theme());
    for (const Index columns : {101, 111, 137, 150, 199, 200, 400}) {
        const Raster raster = drawn(one_row(columns));
        ASSERT_EQ(raster.width, kPixels) << columns;
        EXPECT_EQ(std::ranges::count(raster.pixels, middle), kPixels) << columns;
    }
}

TEST(HeatRaster, CellsThatCanBeSeenAreDrawnAsTheyAre) {
    for (const Index columns : {1, 33, 99, 100}) {
        const HeatMap map = one_row(columns);
        const Raster raster = drawn(map);
        ASSERT_EQ(raster.width, columns);
        for (Index i = 0; i < columns; ++i) {
            EXPECT_EQ(raster.pixels[i],
                      sample(ColorMap::diverging, i % 2 == 0 ? 1 : 0, light_theme()))
                << i << " of " << columns;
        }
    }
}

/// The shares of a pixel add up to its cells, and their middle is that of the pixel.
TEST(HeatRaster, APixelCoversWhatLiesUnderIt) {
    for (const Index columns : {250, 333, 1000, 12345}) {
        const double cells = to_double(columns) / to_double(kPixels);
        const HeatMap map = one_row(columns);
        const RasterPlan plan =
            plan_raster(map, on_pixels({.min = 0, .max = to_double(columns)}), light_theme());
        ASSERT_EQ(std::ssize(plan.columns), kPixels);
        for (Index pixel = 0; pixel < kPixels; ++pixel) {
            const CellRange& range = plan.columns[pixel];
            double sum = 0, moment = 0;
            for (Index at = range.begin; at < range.end; ++at) {
                const double share = at == range.begin     ? range.first
                                     : at + 1 == range.end ? range.last
                                                           : 1;
                // A part of the first cell is its end, one of the last its begin.
                const double middle =
                    at == range.begin ? to_double(at + 1) - share / 2 : to_double(at) + share / 2;
                sum += share;
                moment += share * middle;
            }
            EXPECT_NEAR(sum, cells, 1e-5 * cells) << pixel << " of " << columns;
            EXPECT_NEAR(moment / sum, (to_double(pixel) + 0.5) * cells, 1e-5 * cells)
                << pixel << " of " << columns;
        }
    }
}

/// On a logarithmic axis some cells are wider than a pixel, and others narrower.
TEST(HeatRaster, ALogarithmicAxisShowsWideCellsAsTheyAre) {
    HeatMap map = one_row(1000);
    map.x0 = 1;
    const Axis x{.min = 1, .max = 1001, .scale = AxisScale::log10};
    const RasterPlan plan = plan_raster(map, on_pixels(x), light_theme());
    ASSERT_EQ(std::ssize(plan.columns), kPixels);
    EXPECT_EQ(plan.columns.front(), (CellRange{0, 1}));
    EXPECT_EQ(plan.columns[8], (CellRange{0, 1})) << "below position 2";
    EXPECT_GT(plan.columns.back().end - plan.columns.back().begin, 60);
    EXPECT_EQ(plan.columns.back().end, 1000);
}

}  // namespace
}  // namespace ropescope::plot
