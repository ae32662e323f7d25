// Where the panels of a figure lie, in pixels: the figure's grid, the place of each panel, and how
// its plot is shared among columns and rows of texts.
#include "app/plot/placed_panel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <variant>

#include "app/plot/axis.h"
#include "core/base/index.h"

namespace ropescope::plot {

// Converts between the data of a panel and pixels, and finds the panel under the cursor.

Pixel PlacedPanel::to_pixel(Point p) const {
    const double right = columns.empty() ? to_unit(x, p.x) : columns.to_unit(p.x);
    const double up = rows.empty() ? to_unit(y, p.y) : rows.to_unit(p.y);
    return {plot.x + right * plot.width, plot.y + (1 - up) * plot.height};
}

Point PlacedPanel::to_data(Pixel p) const {
    const double right = (p.x - plot.x) / plot.width, up = 1 - (p.y - plot.y) / plot.height;
    return {columns.empty() ? from_unit(x, right) : columns.from_unit(right),
            rows.empty() ? from_unit(y, up) : rows.from_unit(up)};
}

bool PlacedPanel::shows(Point at, double anchor_x, double anchor_y) const {
    // At a border between two tracks the words lie in one of them.
    constexpr double kTouch = 1e-6;
    const auto inside = [](const TrackMap& map, double value, double anchor) {
        return map.empty() || map.shows(value + (1 - 2 * anchor) * kTouch);
    };
    return inside(columns, at.x, anchor_x) && inside(rows, at.y, anchor_y);
}

const PlacedPanel* panel_at(const std::vector<PlacedPanel>& placed, Pixel cursor) {
    const auto found = std::ranges::find_if(
        placed, [&](const PlacedPanel& panel) { return panel.frame.contains(cursor); });
    return found == placed.end() ? nullptr : &*found;
}

// The grid of a figure, and how its area is divided.

namespace {

constexpr int kMostRows = 64;  // no figure has more; a wrong index must not allocate much
/// In units: narrower panels have no room for ticks and the label of the axis; lower ones, on
/// average, none for a plot below their title.
constexpr double kLeastWidth = 260, kLeastHeight = 125;
/// A square map needs no more: below another panel it would have less of the height.
constexpr double kLeastOfAMap = 190;
/// A panel that is higher than this times its width is a strip, in which slopes cannot be read.
constexpr double kMostUpright = 2.5;

Cell cell_of(const Panel& panel) {
    const int row = std::clamp(panel.row, 0, kMostRows - 1);
    const int column = std::clamp(panel.column, 0, kMostRows - 1);
    return {row, column, row + std::clamp(panel.row_span, 1, kMostRows - row),
            column + std::clamp(panel.column_span, 1, kMostRows - column)};
}

/// Of `count` tracks; those that are missing or not positive are 1.
std::vector<double> positive_weights(const std::vector<double>& weights, int count) {
    std::vector<double> shares(count, 1.0);
    for (std::size_t i = 0; i < std::min(shares.size(), weights.size()); ++i) {
        if (std::isfinite(weights[i]) && weights[i] > 0) {
            shares[i] = std::min(weights[i], 1e6);
        }
    }
    return shares;
}

/// First pixel of each track and one past the last's gap.
std::vector<double> edges(const std::vector<double>& weights, double begin, double length,
                          double gap) {
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    const double shared = std::max(0.0, length - gap * (to_double(std::ssize(weights)) - 1));
    std::vector<double> result = {begin};
    double at = begin;
    for (const double weight : weights) {
        at += shared * weight / sum + gap;
        result.push_back(at);
    }
    return result;
}

/// The cells in the order of their panels, each once.
std::vector<Cell> different_cells(const Grid& grid) {
    std::vector<Cell> cells;
    for (const Cell& cell : grid.cells) {
        if (std::ranges::find(cells, cell) == cells.end()) {
            cells.push_back(cell);
        }
    }
    return cells;
}

bool is_too_narrow(const Panel& panel, Rect frame, double unit) {
    const double least = is_square_map(panel) ? kLeastOfAMap : kLeastWidth;
    return frame.width < least * unit || frame.height > kMostUpright * frame.width;
}

/// What spans several rows keeps the height of all of them.
Grid in_one_column(const Grid& grid, const std::vector<Cell>& in_order) {
    Grid upright{.column_weights = {1}};
    for (const Cell& cell : in_order) {
        upright.row_weights.push_back(std::accumulate(
            grid.row_weights.begin() + cell.row, grid.row_weights.begin() + cell.row_end, 0.0));
    }
    for (const Cell& cell : grid.cells) {
        const int row = narrow<int>(std::ranges::find(in_order, cell) - in_order.begin());
        upright.cells.push_back({row, 0, row + 1, 1});
    }
    return upright;
}

/// The number of columns in which `count` squares are largest, each with a title above it and a
/// line below it; of equal ones the fewest, which leave the fewest places empty.
int columns_of_squares(int count, Rect area, double gap) {
    constexpr double kWithTexts = 1.2;  ///< of the side of a square
    int best = 1;
    double best_side = -std::numeric_limits<double>::infinity();
    for (int columns = 1; columns <= count; ++columns) {
        const int rows = (count + columns - 1) / columns;
        const double side = std::min((area.width - gap * (columns - 1)) / columns,
                                     (area.height - gap * (rows - 1)) / rows / kWithTexts);
        if (side > best_side + 1e-9) {
            best = columns;
            best_side = side;
        }
    }
    return best;
}

Rect between(const std::vector<double>& x, const std::vector<double>& y, const Cell& cell,
             double gap) {
    const double left = std::round(x[cell.column]), top = std::round(y[cell.row]);
    const double right = std::round(x[cell.column_end] - gap);
    const double bottom = std::round(y[cell.row_end] - gap);
    return {left, top, std::max(0.0, right - left), std::max(0.0, bottom - top)};
}

/// The area divided among `count` panels of equal size, row by row. Small panels have small gaps.
std::vector<Rect> divided(Rect area, int count, double most_gap) {
    const double side = std::min(area.width, area.height) / std::sqrt(count);
    const double gap = std::min(most_gap, 0.15 * side);
    const int columns = columns_of_squares(count, area, gap);
    const int rows = (count + columns - 1) / columns;
    const auto x = edges(positive_weights({}, columns), area.x, area.width, gap);
    const auto y = edges(positive_weights({}, rows), area.y, area.height, gap);
    std::vector<Rect> frames;
    for (int i = 0; i < count; ++i) {
        const int row = i / columns, column = i % columns;
        frames.push_back(between(x, y, {row, column, row + 1, column + 1}, gap));
    }
    return frames;
}

}  // namespace

bool is_square_map(const Panel& panel) {
    const HeatMap* map = nullptr;
    int maps = 0;
    for (const Mark& mark : panel.marks) {
        if (const auto* found = std::get_if<HeatMap>(&mark)) {
            map = found;
            ++maps;
        }
    }
    const double across = std::abs(panel.x.max - panel.x.min);
    const double down = std::abs(panel.y.max - panel.y.min);
    return maps == 1 && !panel.equal_aspect && map->rows == map->columns && map->rows > 1 &&
           std::abs(map->dx) == std::abs(map->dy) && across == down && panel.rows.empty() &&
           panel.columns.empty();
}

Grid grid_of(const Figure& figure) {
    Grid grid;
    int rows = narrow<int>(std::min<Index>(std::ssize(figure.row_weights), kMostRows));
    int columns = narrow<int>(std::min<Index>(std::ssize(figure.column_weights), kMostRows));
    for (const Panel& panel : figure.panels) {
        grid.cells.push_back(cell_of(panel));
        rows = std::max(rows, grid.cells.back().row_end);
        columns = std::max(columns, grid.cells.back().column_end);
    }
    grid.row_weights = positive_weights(figure.row_weights, rows);
    grid.column_weights = positive_weights(figure.column_weights, columns);
    return grid;
}

Grid grid_for(const Grid& own, std::span<const Panel> panels, Rect area, double gap, double unit) {
    const std::vector<Rect> frames = grid_frames(own, area, gap);
    bool too_narrow = false;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const bool has_axes = panels[i].x.visible || panels[i].y.visible;
        too_narrow = too_narrow || (has_axes && is_too_narrow(panels[i], frames[i], unit));
    }
    const std::vector<Cell> in_order = different_cells(own);
    const double heights = kLeastHeight * unit + gap;
    const bool high = area.height + gap >= heights * to_double(std::ssize(in_order));
    return too_narrow && high && own.column_weights.size() > 1 ? in_one_column(own, in_order) : own;
}

Grid with_needed_heights(Grid grid, std::span<const double> needed, double height, double gap) {
    const std::size_t rows = grid.row_weights.size();
    std::vector<double> least(rows, 0.0), heights(rows, 0.0);
    for (std::size_t i = 0; i < grid.cells.size(); ++i) {
        const Cell& cell = grid.cells[i];
        if (cell.row_end == cell.row + 1) {
            least[cell.row] = std::max(least[cell.row], needed[i]);
        }
    }
    double room = height - gap * (to_double(std::ssize(heights)) - 1);
    double weight = std::accumulate(grid.row_weights.begin(), grid.row_weights.end(), 0.0);
    if (std::accumulate(least.begin(), least.end(), 0.0) > room) {
        return grid;
    }
    // A row that has too little takes of what the others share, of which another may then have too
    // little.
    const auto lacks = [&](std::size_t row) {
        return heights[row] == 0 && room * grid.row_weights[row] < least[row] * weight;
    };
    bool some_lack = false;
    for (std::size_t row = 0; row < rows; ++row) {
        if (lacks(row)) {
            heights[row] = least[row];
            room -= least[row];
            weight -= grid.row_weights[row];
            some_lack = true;
            row = static_cast<std::size_t>(-1);  // from the first again
        }
    }
    for (std::size_t row = 0; some_lack && row < rows; ++row) {
        grid.row_weights[row] =
            heights[row] > 0 ? heights[row] : room * grid.row_weights[row] / weight;
    }
    return grid;
}

std::vector<Rect> grid_frames(const Grid& grid, Rect area, double gap) {
    if (grid.cells.empty()) {
        return {};
    }
    const auto x = edges(grid.column_weights, area.x, area.width, gap);
    const auto y = edges(grid.row_weights, area.y, area.height, gap);
    std::vector<Rect> frames(grid.cells.size());
    for (const Cell& cell : different_cells(grid)) {
        const int sharing = narrow<int>(std::ranges::count(grid.cells, cell));
        const std::vector<Rect> shares = divided(between(x, y, cell, gap), sharing, gap);
        for (std::size_t i = 0, next = 0; i < frames.size(); ++i) {
            if (grid.cells[i] == cell) {
                frames[i] = shares[next++];
            }
        }
    }
    return frames;
}

// Chooses the tracks that are shown, and lays them one behind the other.

namespace {

/// The last of those that are kept least.
std::size_t least_kept(std::span<const Track> tracks, const std::vector<bool>& shown) {
    std::size_t least = tracks.size();
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        if (shown[i] && (least == tracks.size() || tracks[i].keep <= tracks[least].keep)) {
            least = i;
        }
    }
    return least;
}

double sum_of(std::span<const double> needed, const std::vector<bool>& shown) {
    double sum = 0;
    for (std::size_t i = 0; i < needed.size(); ++i) {
        sum += shown[i] ? needed[i] : 0;
    }
    return sum;
}

}  // namespace

double TrackMap::to_unit(double value) const {
    for (const Piece& piece : pieces) {
        if (value <= piece.last) {
            const double share = (value - piece.first) / (piece.last - piece.first);
            return std::lerp(piece.from, piece.to, std::clamp(share, 0.0, 1.0));
        }
    }
    return pieces.back().to;
}

double TrackMap::from_unit(double unit) const {
    const auto in = [&](const Piece& piece) {
        return std::min(piece.from, piece.to) <= unit && unit <= std::max(piece.from, piece.to) &&
               piece.from != piece.to;
    };
    const auto found = std::ranges::find_if(pieces, in);
    if (found == pieces.end()) {
        return std::nan("");  // beside the tracks
    }
    const double share = (unit - found->from) / (found->to - found->from);
    return std::lerp(found->first, found->last, share);
}

bool TrackMap::shows(double value) const {
    return std::ranges::any_of(pieces, [&](const Piece& piece) {
        return piece.first <= value && value <= piece.last && piece.from != piece.to;
    });
}

TrackMap fit_tracks(std::span<const Track> tracks, std::span<const double> needed,
                    const TrackRoom& room) {
    std::vector<bool> shown(tracks.size(), true);
    auto count = tracks.size();
    while (count > 1 && sum_of(needed, shown) > room.room + 0.5) {
        shown[least_kept(tracks, shown)] = false;
        --count;
    }
    TrackMap map;
    double values = 0;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        values += shown[i] ? tracks[i].last - tracks[i].first : 0;
        map.left_out += !shown[i] && tracks[i].counted ? 1 : 0;
    }
    const double over = std::max(0.0, room.room - sum_of(needed, shown));
    double at = 0;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        const double share = (tracks[i].last - tracks[i].first) / values;
        const double length =
            shown[i] ? std::min(needed[i] + over * share, needed[i] * room.most_growth) : 0;
        const double from = at / room.room, to = (at + length) / room.room;
        map.pieces.push_back({tracks[i].first, tracks[i].last, room.from_the_end ? 1 - to : from,
                              room.from_the_end ? 1 - from : to});
        at += length;
    }
    std::ranges::sort(map.pieces, {}, &TrackMap::Piece::first);
    return map;
}

}  // namespace ropescope::plot
