// Draws the heat map and the wave of the table view.
#include "app/figures/table/panels.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "app/figures/text.h"
#include "app/plot/number_text.h"

namespace ropescope::figures {
namespace {

using plot::Point;
using plot::Role;

/// Positions on the x axis: whole positions in the middle of their cells, and a margin on the left
/// for the mark of the selected pair.
plot::Axis position_axis(const TableGrid& grid) {
    const double first = to_double(grid.first) - 0.5;
    const double length = to_double(grid.columns * grid.block);
    return {
        .label = "position", .min = first - 0.02 * length, .max = first + length, .integers = true};
}

double value_limit(const TableState& state) {
    return state.grid.quantity == TableQuantity::angle ? std::numbers::pi
                                                       : state.spectrum.attention_factor;
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
void add_heat_marks(plot::Panel& panel, const TableState& state) {
    const double left = to_double(state.grid.first) - 0.5;
    const double top = to_double(state.grid.pairs) - 0.5;
    const double pair = to_double(state.selected);
    for (const double edge : {-0.5, 0.5}) {
        panel.marks.emplace_back(
            plot::Line{.points = {{left, pair + edge}, {panel.x.max, pair + edge}},
                       .role = Role::text,
                       .width = 0.5});
    }
    panel.marks.emplace_back(
        plot::Points{.points = {{0.5 * (left + panel.x.min), pair}}, .role = Role::query});
    if (!state.shows_query()) {
        return;
    }
    const double m = to_double(state.query);
    panel.marks.emplace_back(plot::Line{.points = {{m, -0.5}, {m, top}},
                                        .role = Role::text,
                                        .width = 0.5,
                                        .dash = plot::Dash::dashed});
    panel.marks.emplace_back(plot::Label{
        .at = {m, top}, .text = "m", .role = Role::query, .anchor_x = 0.5, .anchor_y = 0.0});
}

std::string trace_text(const TableState& state) {
    const double wavelength = state.spectrum.wavelength_positions(state.selected);
    std::string text = (std::isfinite(wavelength) ? "λ " : "") + wavelength_text(wavelength);
    if (state.shows_query()) {
        text += "   m = " + whole_text(state.query) + " → " +
                signed_text(state.value(state.selected, state.query), 3);
    }
    return text;
}

/// A thinned trace is a mean, and its title says so; a mean over more than a turn is small.
std::string trace_title(const TableState& state) {
    const TableGrid& grid = state.grid;
    const Index pair = state.selected;
    if (grid.block == 1) {
        return fmt::format("pair {}", pair);
    }
    const bool averages_out = state.spectrum.wavelength_positions(pair) < to_double(grid.block);
    return fmt::format("pair {}, {} of {} positions each{}", pair,
                       grid.quantity == TableQuantity::angle ? "angle of the mean" : "mean",
                       whole_text(grid.block), averages_out ? ": turns average out" : "");
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

/// Empty if the values were read.
plot::LiveCells live_cells(const TableGrid& grid) {
    if (!grid.live()) {
        return {};
    }
    return {grid.turned,
            {.first = grid.quantity == TableQuantity::sin ? 1 : 0,
             .row_step = 2,
             .column_step = grid.turned.columns,
             .angle = grid.quantity == TableQuantity::angle}};
}

}  // namespace

plot::Panel heat_panel(const TableState& state) {
    const TableGrid& grid = state.grid;
    const double limit = value_limit(state);
    plot::Panel panel{
        .id = "table",
        .x = position_axis(grid),
        .y = {.label = "pair", .min = -0.5, .max = to_double(grid.pairs) - 0.5, .integers = true},
        .color_bar = true};
    panel.x.label.clear();  // the trace below names it
    panel.marks.emplace_back(
        plot::HeatMap{.columns = grid.columns,
                      .rows = grid.pairs,
                      .values = grid.values,
                      .live = live_cells(grid),
                      .x0 = to_double(grid.first) - 0.5,
                      .y0 = -0.5,
                      .dx = to_double(grid.block),
                      .dy = 1,
                      .min = -limit,
                      .max = limit,
                      .map = plot::ColorMap::diverging,
                      .label = (grid.block > 1 ? "mean of " : "") +
                               quantity_text(grid.quantity, state.spectrum.attention_factor)});
    add_heat_marks(panel, state);
    return panel;
}

plot::Panel trace_panel(const TableState& state) {
    const TableQuantity quantity = state.grid.quantity;
    const double limit = 1.15 * value_limit(state);
    plot::Panel panel{.id = "trace",
                      .title = trace_title(state),
                      .corners = {.top_right = trace_text(state)},
                      .x = position_axis(state.grid),
                      .y = {.min = -limit, .max = limit},
                      .row = 1};
    const double m = to_double(state.query);
    if (state.shows_query()) {
        panel.marks.emplace_back(plot::Rule{.at = m, .role = Role::dim});
    }
    add_trace(panel.marks, state.trace, quantity_role(quantity));
    if (state.shows_query() && state.grid.block == 1) {  // a mean does not pass through it
        panel.marks.emplace_back(
            plot::Points{.points = {{m, state.value(state.selected, state.query)}},
                         .role = Role::query,
                         .radius_px = 5,
                         .ring = true});
    }
    return panel;
}

}  // namespace ropescope::figures
