// Divides a figure's area into the frames of its panels.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/plot/panel_layout.h"

namespace ropescope::plot {
namespace {

constexpr int kMostRows = 64;  // no figure has more; a wrong index must not allocate much

/// First pixel of each of `count` tracks and one past the last's gap.
std::vector<double> edges(int count, const std::vector<double>& weights, double begin,
                          double length, double gap) {
    std::vector<double> shares(count, 1.0);
    for (std::size_t i = 0; i < std::min(shares.size(), weights.size()); ++i) {
        if (std::isfinite(weights[i]) && weights[i] > 0) {
            shares[i] = std::min(weights[i], 1e6);
        }
    }
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    const double usable = std::max(0.0, length - gap * (count - 1));
    std::vector<double> result = {begin};
    double at = begin;
    for (const double share : shares) {
        at += usable * share / sum + gap;
        result.push_back(at);
    }
    return result;
}

}  // namespace

Cell cell_of(const Panel& panel) {
    const int row = std::clamp(panel.row, 0, kMostRows - 1);
    const int column = std::clamp(panel.column, 0, kMostRows - 1);
    return {row, column, row + std::clamp(panel.row_span, 1, kMostRows - row),
            column + std::clamp(panel.column_span, 1, kMostRows - column)};
}

std::vector<Rect> grid_frames(const Figure& figure, Rect area, double gap) {
    int rows = narrow<int>(std::min<Index>(std::ssize(figure.row_weights), kMostRows));
    int columns = narrow<int>(std::min<Index>(std::ssize(figure.column_weights), kMostRows));
    for (const Panel& panel : figure.panels) {
        rows = std::max(rows, cell_of(panel).row_end);
        columns = std::max(columns, cell_of(panel).column_end);
    }
    if (rows == 0 || columns == 0) {
        return {};
    }
    const auto y = edges(rows, figure.row_weights, area.y, area.height, gap);
    const auto x = edges(columns, figure.column_weights, area.x, area.width, gap);
    std::vector<Rect> frames;
    for (const Panel& panel : figure.panels) {
        const Cell cell = cell_of(panel);
        const double left = std::round(x[cell.column]);
        const double top = std::round(y[cell.row]);
        const double right = std::round(x[cell.column_end] - gap);
        const double bottom = std::round(y[cell.row_end] - gap);
        frames.push_back({left, top, std::max(0.0, right - left), std::max(0.0, bottom - top)});
    }
    return frames;
}

}  // namespace ropescope::plot
