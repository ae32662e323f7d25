#include "app/figures/table/panels.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "app/figures/text.h"
#include "app/plot/layout.h"

namespace ropescope::figures {
namespace {

using plot::Point;
using plot::Role;

/// Positions on the x axis: whole positions in the middle of their cells, and a margin on the left
/// for the mark of the selected pair.
plot::Axis position_axis(const TableGrid& grid) {
    const double first = static_cast<double>(grid.first) - 0.5;
    const auto length = static_cast<double>(grid.columns * grid.block);
    return {
        .label = "position", .min = first - 0.02 * length, .max = first + length, .integers = true};
}

double value_limit(TableQuantity quantity) {
    return quantity == TableQuantity::angle ? std::numbers::pi : 1.0;
}

bool shows_query(const Scene& scene) {
    return scene.query_position >= scene.first_position &&
           scene.query_position <= last_position(scene);
}

/// The selected pair between whole positions too where the table is not thinned, so that a wave
/// looks like one: samples 1/4 position apart. A thinned table gives its own row.
std::vector<Point> trace(const Scene& scene, const TableGrid& grid, const Spectrum& spectrum,
                         TensorOps& ops) {
    const int pair = static_cast<int>(scene.selected_pair);
    std::vector<Point> points;
    if (grid.block > 1) {
        double middle = static_cast<double>(grid.first) + 0.5 * static_cast<double>(grid.block - 1);
        for (const float value : grid_row(grid, spectrum, pair, ops)) {
            points.push_back({middle, static_cast<double>(value)});
            middle += static_cast<double>(grid.block);
        }
        return points;
    }
    // The finer positions of a distant table would lie beyond the engine's last one.
    const std::int64_t finer = 4 * last_position(scene) <= kMaxPosition ? 4 : 1;
    TableGrid fine;
    fine.quantity = grid.quantity;
    fine.first = grid.first * finer;
    fine.columns = (grid.columns - 1) * finer + 1;
    Spectrum slower = spectrum;
    slower.inv_freq_rad[static_cast<std::size_t>(pair)] /= static_cast<double>(finer);
    auto x = static_cast<double>(grid.first);
    for (const float value : grid_row(fine, slower, pair, ops)) {
        points.push_back({x, static_cast<double>(value)});
        x += 1.0 / static_cast<double>(finer);
    }
    return points;
}

/// The trace as lines that break where an angle wraps around or a cell is blank.
void add_trace(std::vector<plot::Mark>& marks, const std::vector<Point>& points, Role role) {
    plot::Line line{.points = {}, .role = role};
    const auto finish = [&] {
        if (line.points.size() == 1) {
            marks.emplace_back(plot::Points{.points = line.points, .role = role});
        } else if (!line.points.empty()) {
            marks.emplace_back(line);
        }
        line.points.clear();
    };
    for (const Point& point : points) {
        const bool wraps =
            !line.points.empty() && std::abs(point.y - line.points.back().y) > std::numbers::pi;
        if (wraps || std::isnan(point.y)) {
            finish();
        }
        if (!std::isnan(point.y)) {
            line.points.push_back(point);
        }
    }
    finish();
}

/// Marks in the margins of the heat map, where its colours do not drown them: the selected pair on
/// the left, the query's position on top, with thin lines through the cells they mean.
void add_heat_marks(plot::Panel& panel, const Scene& scene, const TableGrid& grid) {
    const double left = static_cast<double>(grid.first) - 0.5;
    const double top = grid.pairs - 0.5;
    const auto pair = static_cast<double>(scene.selected_pair);
    for (const double edge : {-0.5, 0.5}) {
        panel.marks.emplace_back(
            plot::Line{.points = {{left, pair + edge}, {panel.x.max, pair + edge}},
                       .role = Role::text,
                       .width = 0.5});
    }
    panel.marks.emplace_back(
        plot::Points{.points = {{0.5 * (left + panel.x.min), pair}}, .role = Role::query});
    if (!shows_query(scene)) {
        return;
    }
    const auto m = static_cast<double>(scene.query_position);
    panel.marks.emplace_back(plot::Line{
        .points = {{m, -0.5}, {m, top}}, .role = Role::text, .width = 0.5, .dashed = true});
    panel.marks.emplace_back(plot::Label{
        .at = {m, top}, .text = "m", .role = Role::query, .anchor_x = 0.5, .anchor_y = 0.0});
}

std::string trace_text(const Scene& scene, const TableGrid& grid, const Spectrum& spectrum) {
    const int pair = static_cast<int>(scene.selected_pair);
    std::string text = "λ " + plot::number_text(spectrum.wavelength_positions(pair));
    if (shows_query(scene)) {
        const double value = exact_value(grid.quantity, spectrum, pair, scene.query_position);
        text += "   m = " + whole_text(scene.query_position) + " → " + signed_text(value, 3);
    }
    return text;
}

/// A thinned trace is a mean, and says so; one of whole turns is flat for that reason.
std::string trace_title(const Scene& scene, const TableGrid& grid, const Spectrum& spectrum) {
    const int pair = static_cast<int>(scene.selected_pair);
    if (grid.block == 1) {
        return fmt::format("pair {}", pair);
    }
    const bool averages_out = spectrum.wavelength_positions(pair) < static_cast<double>(grid.block);
    return fmt::format("pair {}, {} of {} positions each{}", pair,
                       grid.quantity == TableQuantity::angle ? "angle of the mean" : "mean",
                       whole_text(grid.block), averages_out ? ": whole turns average out" : "");
}

Role quantity_role(TableQuantity quantity) {
    switch (quantity) {
        case TableQuantity::cos:
            return Role::cos_part;
        case TableQuantity::sin:
            return Role::sin_part;
        case TableQuantity::angle:
            break;
    }
    return Role::text;
}

/// None where the values were read.
plot::LiveCells live_cells(const TableGrid& grid) {
    if (!grid.values.empty()) {
        return {};
    }
    return {grid.turned,
            {.first = grid.quantity == TableQuantity::sin ? 1 : 0,
             .row_step = 2,
             .column_step = grid.turned.columns,
             .angle = grid.quantity == TableQuantity::angle}};
}

}  // namespace

plot::Panel heat_panel(const Scene& scene, const TableGrid& grid) {
    const double limit = value_limit(grid.quantity);
    plot::Panel panel{
        .id = "table",
        .x = position_axis(grid),
        .y = {.label = "pair", .min = -0.5, .max = grid.pairs - 0.5, .integers = true},
        .color_bar = true};
    panel.x.label.clear();  // the trace below names it
    panel.marks.emplace_back(plot::HeatMap{
        .columns = grid.columns,
        .rows = grid.pairs,
        .values = grid.values,
        .live = live_cells(grid),
        .x0 = static_cast<double>(grid.first) - 0.5,
        .y0 = -0.5,
        .dx = static_cast<double>(grid.block),
        .dy = 1,
        .min = -limit,
        .max = limit,
        .map = plot::ColorMap::diverging,
        .label =
            fmt::format("{}{}", grid.block > 1 ? "mean of " : "", quantity_text(grid.quantity))});
    add_heat_marks(panel, scene, grid);
    return panel;
}

plot::Panel trace_panel(const Scene& scene, const TableGrid& grid, const Spectrum& spectrum,
                        TensorOps& ops) {
    const double limit = 1.15 * value_limit(grid.quantity);
    const int pair = static_cast<int>(scene.selected_pair);
    plot::Panel panel{.id = "trace",
                      .title = trace_title(scene, grid, spectrum),
                      .corners = {.top_right = trace_text(scene, grid, spectrum)},
                      .x = position_axis(grid),
                      .y = {.min = -limit, .max = limit},
                      .row = 1};
    const auto m = static_cast<double>(scene.query_position);
    if (shows_query(scene)) {
        panel.marks.emplace_back(plot::Rule{.at = m, .role = Role::dim});
    }
    add_trace(panel.marks, trace(scene, grid, spectrum, ops), quantity_role(grid.quantity));
    if (shows_query(scene) && grid.block == 1) {  // a mean does not pass through the value at m
        const double value = exact_value(grid.quantity, spectrum, pair, scene.query_position);
        panel.marks.emplace_back(plot::Points{
            .points = {{m, value}}, .role = Role::query, .radius_px = 5, .ring = true});
    }
    return panel;
}

}  // namespace ropescope::figures
