// Averages the cells of a heat map into pixels, and colours them.
#include "app/plot/heat_raster.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "app/plot/axis.h"

namespace ropescope::plot {
namespace {

/// Cells along one axis, in the order of the pixels.
struct Strips {
    double start = 0, extent = 0;  // pixels
    std::vector<CellRange> cells;
};

/// The cells along one axis and the pixels they are shown in.
struct Side {
    Axis axis;
    double begin_px = 0, extent_px = 0;
    bool upwards = false;  // pixels run against the axis
    double origin = 0, step = 1;
    Index count = 0;
    const TrackMap& tracks;

    double value_at(double share) const {
        const double unit = upwards ? 1 - share : share;
        return tracks.empty() ? from_unit(axis, unit) : tracks.from_unit(unit);
    }
    double pixel_of(double value) const {
        const double unit = to_unit(axis, value);
        return begin_px + (upwards ? 1 - unit : unit) * extent_px;
    }
    Index cell(double place) const {
        // A place on an axis without extent is no number.
        return std::isnan(place) ? 0 : floor_to_index(std::clamp(place, 0.0, to_double(count)));
    }
};

Strips one_per_cell(const Side& side, CellRange visible) {
    const double first = side.pixel_of(side.origin + to_double(visible.begin) * side.step);
    const double last = side.pixel_of(side.origin + to_double(visible.end) * side.step);
    Strips strips{std::min(first, last), std::abs(last - first), {}};
    for (Index i = visible.begin; i < visible.end; ++i) {
        strips.cells.push_back({i, i + 1});
    }
    if (last < first) {
        std::ranges::reverse(strips.cells);
    }
    return strips;
}

/// What the pixel shows that reaches over cells from `low` to `high`.
CellRange covered(double low, double high, const Side& side) {
    constexpr double kLeast = 2;       // a period of the fastest pattern
    constexpr double kNoShare = 1e-6;  // of the window: rounding of its ends
    if (!(high - low > 1)) {
        return {side.cell(std::floor(low)), side.cell(std::floor(low) + 1)};
    }
    const double count = to_double(side.count), window = std::max(high - low, kLeast);
    if (high <= 0 || low >= count) {
        return {};
    }
    if (!std::isfinite(window)) {  // an axis may reach beyond what numbers tell apart
        return {0, side.count};
    }
    const double from = std::clamp((low + high - window) / 2, 0.0, std::max(0.0, count - window));
    const double to = std::min(from + window, count);
    CellRange range{floor_to_index(from), floor_to_index(std::ceil(to))};
    const double least = kNoShare * (to - from);
    double first = to_double(range.begin + 1) - from, last = to - to_double(range.end - 1);
    if (range.end - range.begin > 1 && first < least) {
        ++range.begin;
        first = 1;
    }
    if (range.end - range.begin > 1 && last < least) {
        --range.end;
        last = 1;
    }
    if (range.end - range.begin > 1) {
        range.first = static_cast<float>(first);
        range.last = static_cast<float>(last);
    }
    return range;
}

Strips one_per_pixel(const Side& side) {
    const auto pixels = round_to_index(std::clamp(side.extent_px, 1.0, 1e5));
    Strips strips{side.begin_px, side.extent_px, {}};
    for (Index i = 0; i < pixels; ++i) {
        const double from = side.value_at(to_double(i) / to_double(pixels));
        const double to = side.value_at(to_double(i + 1) / to_double(pixels));
        const auto [low, high] = std::minmax({from, to});
        strips.cells.push_back(
            covered((low - side.origin) / side.step, (high - side.origin) / side.step, side));
    }
    return strips;
}

/// Between columns and rows that have lengths of their own: the cell in the middle of each pixel.
Strips along_tracks(const Side& side) {
    const auto pixels = round_to_index(std::clamp(side.extent_px, 1.0, 1e5));
    Strips strips{side.begin_px, side.extent_px, {}};
    for (Index i = 0; i < pixels; ++i) {
        const double value = side.value_at((to_double(i) + 0.5) / to_double(pixels));
        const double place = std::floor((value - side.origin) / side.step);
        const bool inside = place >= 0 && place < to_double(side.count);  // not NaN
        const Index cell = inside ? side.cell(place) : 0;
        strips.cells.push_back({cell, inside ? cell + 1 : cell});
    }
    return strips;
}

Strips strips_of(const Side& side) {
    if (!side.tracks.empty()) {
        return along_tracks(side);
    }
    const auto [low, high] = std::minmax({side.axis.min, side.axis.max});
    const CellRange visible{side.cell(std::floor((low - side.origin) / side.step)),
                            side.cell(std::ceil((high - side.origin) / side.step))};
    const Index cells = visible.end - visible.begin;
    constexpr double kRounding = 1e-9;
    const double pixels_per_cell = std::abs(side.extent_px * side.step / (high - low));
    // A cell much larger than the plot would have pixel coordinates beyond what a painter can hold.
    const bool seen_whole = pixels_per_cell >= 1 - kRounding && pixels_per_cell <= side.extent_px;
    const bool linear = side.axis.scale == AxisScale::linear;
    return linear && cells > 0 && seen_whole ? one_per_cell(side, visible) : one_per_pixel(side);
}

/// Odd, so that the middle colour is exactly that of zero.
constexpr Index kShades = 513;
std::vector<Color> shades_of(ColorMap map, const Theme& theme) {
    std::vector<Color> shades;
    for (Index i = 0; i < kShades; ++i) {
        shades.push_back(sample(map, to_double(i) / to_double(kShades - 1), theme));
    }
    return shades;
}

double share_of(const CellRange& range, Index at) {
    return at == range.begin ? range.first : at + 1 == range.end ? range.last : 1;
}

double all_shares(const CellRange& range) {
    const Index cells = range.end - range.begin;
    return cells == 1 ? double{range.first}
                      : double{range.first} + double{range.last} + to_double(cells - 2);
}

/// In the order of shaders/heat_map.comp.
double mean(const HeatMap& map, const CellRange& columns, const CellRange& rows) {
    double sum = 0;
    for (Index row = rows.begin; row < rows.end; ++row) {
        double along = 0;
        for (Index column = columns.begin; column < columns.end; ++column) {
            along += share_of(columns, column) * map.values[row * map.columns + column];
        }
        sum += share_of(rows, row) * along;
    }
    return sum / (all_shares(columns) * all_shares(rows));
}

bool has_cells(const HeatMap& map) {
    return map.columns > 0 && map.rows > 0 && map.dx > 0 && map.dy > 0;
}

bool has_values(const HeatMap& map) {
    return has_cells(map) && std::ssize(map.values) / map.columns >= map.rows;
}

Color color_of(double value, const RasterPlan& plan) {
    const double unit = to_unit({.min = plan.low, .max = plan.high}, value);
    const double last = to_double(std::ssize(plan.shades) - 1);
    return std::isnan(unit) ? plan.undefined
                            : plan.shades[round_to_index(std::clamp(unit, 0.0, 1.0) * last)];
}

}  // namespace

Axis color_axis(const HeatMap& map) {
    return drawable({.label = map.label, .min = map.min, .max = map.max});
}

RasterPlan plan_raster(const HeatMap& map, const PlacedPanel& panel, const Theme& theme) {
    if (!has_cells(map)) {
        return {};
    }
    Strips across = strips_of({panel.x, panel.plot.x, panel.plot.width, false, map.x0, map.dx,
                               map.columns, panel.columns});
    Strips down = strips_of(
        {panel.y, panel.plot.y, panel.plot.height, true, map.y0, map.dy, map.rows, panel.rows});
    const Axis range = color_axis(map);
    return {.place = {across.start, down.start, across.extent, down.extent},
            .columns = std::move(across.cells),
            .rows = std::move(down.cells),
            .low = range.min,
            .high = range.max,
            .shades = shades_of(map.map, theme),
            .undefined = sample(map.map, std::numeric_limits<double>::quiet_NaN(), theme)};
}

Raster rasterized(const HeatMap& map, const PlacedPanel& panel, const Theme& theme) {
    if (!has_values(map)) {
        return {};
    }
    const RasterPlan plan = plan_raster(map, panel, theme);
    Raster raster{plan.place, std::ssize(plan.columns), std::ssize(plan.rows), {}};
    raster.pixels.reserve(plan.columns.size() * plan.rows.size());
    for (const CellRange rows : plan.rows) {
        for (const CellRange columns : plan.columns) {
            const bool beside = rows.begin == rows.end || columns.begin == columns.end;
            raster.pixels.push_back(beside ? Color{0, 0, 0, 0}
                                           : color_of(mean(map, columns, rows), plan));
        }
    }
    return raster;
}

Raster color_bar_raster(const HeatMap& map, Rect place, const Theme& theme) {
    constexpr int kSteps = 128;
    const bool reversed = color_axis(map).min > color_axis(map).max;
    Raster bar{place, 1, kSteps, {}};
    for (int i = 0; i < kSteps; ++i) {
        const double share = to_double(i) / (kSteps - 1);
        bar.pixels.push_back(sample(map.map, reversed ? share : 1 - share, theme));
    }
    return bar;
}

}  // namespace ropescope::plot
