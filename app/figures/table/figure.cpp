// Puts the table view together: its words, its panels, the values under the cursor and clicks.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "app/figures/shared/describe.h"
#include "app/figures/shared/text.h"
#include "app/figures/table/table.h"
#include "app/plot/number_text.h"
#include "app/plot/pick.h"
#include "app/scene/scene_scaling.h"

namespace ropescope::figures {
namespace {

using plot::Point;
using plot::Role;
using plot::say;

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
    const std::size_t first = panel.marks.size();
    for (const double edge : {-0.5, 0.5}) {
        panel.marks.emplace_back(
            plot::Line{.points = {{left, pair + edge}, {panel.x.max, pair + edge}},
                       .role = Role::text,
                       .width = 0.5});
    }
    panel.marks.emplace_back(
        plot::Points{.points = {{0.5 * (left + panel.x.min), pair}}, .role = Role::query});
    plot::mark_selection(panel.marks, first);
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
    plot::mark_selection(panel.marks, first);
}

plot::Text trace_text(const TableState& state) {
    const double wavelength = state.spectrum.wavelength_positions(state.selected);
    plot::Text text = std::isfinite(wavelength) ? say("λ {}", plot::number_text(wavelength))
                                                : say("stands still");
    if (state.shows_query()) {
        text += say("   m = {} → {}", whole_text(state.query),
                    signed_text(state.value(state.selected, state.query), 3));
    }
    return text;
}

/// A thinned trace is a mean, and its title says so; a mean over more than a turn is small.
plot::Text trace_title(const TableState& state) {
    const TableGrid& grid = state.grid;
    const Index pair = state.selected;
    if (grid.block == 1) {
        return say("pair {}", pair);
    }
    const bool averages_out = state.spectrum.wavelength_positions(pair) < to_double(grid.block);
    return say("pair {}, {} of {} positions each{}", pair,
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

/// "table": the grid as a heat map, position across, pair upwards.
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
                      .label = (grid.block > 1 ? say("mean of ") : plot::Text()) +
                               quantity_text(grid.quantity, state.spectrum.attention_factor)});
    add_heat_marks(panel, state);
    return panel;
}

/// "trace": the selected pair's row as a wave.
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
        panel.marks.emplace_back(plot::Rule{.at = m, .role = Role::dim, .of_selection = true});
    }
    add_trace(panel.marks, state.trace, quantity_role(quantity));
    if (state.shows_query() && state.grid.block == 1) {  // a mean does not pass through it
        panel.marks.emplace_back(
            plot::Points{.points = {{m, state.value(state.selected, state.query)}},
                         .role = Role::query,
                         .radius_px = 5,
                         .ring = true,
                         .of_selection = true});
    }
    return panel;
}

plot::Text title(const TableState& state) {
    const Spectrum& spectrum = state.spectrum;
    const Index pairs = spectrum.pairs();
    Index finished = 0;
    for (Index pair = 0; pair < pairs; ++pair) {
        const double turn = spectrum.wavelength_positions(pair);
        finished += turn <= to_double(state.count) ? 1 : 0;
    }
    const plot::Number within = counted(state.count, "position");
    if (state.along) {
        return say("{} of {} {} {}, and {} of them {} a turn within {}", state.along->turning,
                   counted(pairs, "pair"), agreeing(state.along->turning, "turns", "turn"),
                   state.along->words(), finished, agreeing(finished, "finishes", "finish"),
                   within);
    }
    if (pairs == 1) {
        return say("The only pair is a wave {} positions long",
                   plot::number_text(spectrum.wavelength_positions(0)));
    }
    const Index lengths = different_speeds(spectrum);
    const plot::Text waves = lengths == 1       ? say("Every pair is the same wave")
                             : lengths == pairs ? say("Every pair is a wave of its own length")
                                                : say("Waves of {} lengths", lengths);
    return say("{}: {} of {} {} a turn within {}", waves, finished, pairs,
               agreeing(finished, "finishes", "finish"), within);
}

plot::Text subtitle(const TableState& state) {
    const TableGrid& grid = state.grid;
    plot::Text text = quantity_text(grid.quantity, state.spectrum.attention_factor);
    text += state.count == 1
                ? say(" at position {}", whole_text(state.first))
                : say(" at positions {} to {}", whole_text(state.first), whole_text(state.last()));
    if (grid.block == 1) {
        text += grid.quantity == TableQuantity::angle ? say(", from the fp32 cache.")
                                                      : say(", fp32 as a cache holds it.");
    } else {
        text += say("; a cell is the mean of {} positions{}.", whole_text(grid.block),
                    grid.quantity == TableQuantity::angle
                        ? ", blank where a pair turns too far within it"
                        : "");
    }
    return text + say(" Below: pair {}.", state.selected) + along_sentence(state.along);
}

plot::Figure draw(const TableState& state) {
    plot::Figure figure;
    figure.view = "table";
    figure.title = title(state);
    figure.subtitle = subtitle(state);
    figure.row_weights = {1.0, 0.4};
    figure.column_weights = {1.0};
    if (!state.grid.live()) {
        figure.data = table_data(state.grid);
        figure.report = report_head(figure, state.spec, state.along) + table_report(state);
    }
    return figure;
}

Index pair_at(const TableState& state, plot::Point at) {
    return plot::pick_index(at.y, state.spec.pairs());
}

Index position_at(const TableState& state, plot::Point at) {
    return plot::pick_whole(at.x, state.first, state.last());
}

std::vector<plot::Readout> pair_readouts(const TableState& state, Index pair, plot::Point at) {
    const Index position = position_at(state, at);
    std::vector<plot::Readout> readouts =
        describe_pair(state.spec, state.spectrum, state.along, pair);
    readouts.push_back({"position", whole_text(position)});
    const auto add = [&](const char* name, TableQuantity quantity, const char* unit) {
        const double value = exact_value(quantity, state.spectrum, pair, position);
        readouts.push_back({name, signed_text(value, 4) + unit});
    };
    add("angle", TableQuantity::angle, " rad");
    add("cos", TableQuantity::cos, "");
    add("sin", TableQuantity::sin, "");
    return readouts;
}

std::vector<plot::Readout> cell_readouts(const TableState& state, plot::Point at) {
    return pair_readouts(state, pair_at(state, at), at);
}

std::vector<plot::Readout> trace_readouts(const TableState& state, plot::Point at) {
    return pair_readouts(state, state.selected, at);
}

Scene select_pair(const TableState& state, Scene scene, plot::Point at) {
    scene.selected_pair = pair_at(state, at);
    return scene;
}

Scene move_query(const TableState& state, Scene scene, plot::Point at) {
    scene.query_position = position_at(state, at);
    return scene;
}

Picture make(const Scene& scene, Engine& engine, const Work& work) {
    const auto state = std::make_shared<const TableState>(make_table_state(scene, engine, work));
    Picture picture{.figure = draw(*state)};
    picture.add(heat_panel(*state), {state, cell_readouts, select_pair});
    picture.add(trace_panel(*state), {state, trace_readouts, move_query});
    return picture;
}

}  // namespace

View table_view() {
    return {
        .id = "table",
        .key = '3',
        .name = "Table",
        .group = "One pair, many speeds",
        .question = "What does the cache hold?",
        .parameters = with_scaling_parameters({"table_quantity", "first_position", "position_count",
                                               "query_position", "head_dim", "rotary_dim", "base",
                                               "layout", "selected_pair", "axis"}),
        .also_read = {"axes_model", "axes_part", "axes_head"},
        .make = make,
        .what_you_see =
            "The table that implementations compute once and keep: one column per position, one "
            "row per pair. The fast pairs at the bottom are short waves; the slow ones at the top "
            "change little from column to column. Each position has its own column of values.",
        .what_to_try =
            "Raise the base: all waves but the first get longer. Show more positions: fast waves "
            "average out, slow ones come into sight. Start far out: the waves go on as before, but "
            "their angles are large, and low precision shows. Click a row to follow it.",
        .formulas = {"cos(m θ_{i}),  sin(m θ_{i})", "θ_{i} = base^{−2i/d}"},
        .formula_source = "RoFormer, eq. 34",
    };
}

}  // namespace ropescope::figures
