// Draws the panels of the absolute view.
#include "app/figures/absolute/panels.h"

#include <algorithm>
#include <fmt/format.h>

#include "app/figures/text.h"

namespace ropescope::figures {
namespace {

using plot::Role;

plot::Line term_line(const AbsoluteState& state, double AdditiveTerms::*term, Role role,
                     plot::Dash dash, std::string label) {
    plot::Line line{
        .points = {}, .role = role, .width = 0.8, .dash = dash, .label = std::move(label)};
    for (const AbsoluteScores& at : state.scores) {
        line.points.push_back({to_double(at.m), at.additive.*term});
    }
    return line;
}

}  // namespace

plot::Panel sinusoidal_panel(const AbsoluteState& state) {
    const SinusoidalTable& table = state.table;
    const Index channels = state.spec.rotary_dim;
    plot::Panel panel{.id = "sinusoidal",
                      .title = "sinusoidal table p_{m}",
                      .x = {.label = "position m",
                            .min = -0.5,
                            .max = to_double(state.count) - 0.5,
                            .integers = true},
                      .y = {.label = "channel: sin, cos",
                            .min = -0.5,
                            .max = to_double(channels) - 0.5,
                            .integers = true},
                      .color_bar = true};
    panel.marks.emplace_back(plot::HeatMap{.columns = table.columns,
                                           .rows = table.channels,
                                           .values = table.values,
                                           .x0 = -0.5,
                                           .y0 = -0.5,
                                           .dx = to_double(state.count) / to_double(table.columns),
                                           .dy = to_double(channels) / to_double(table.channels),
                                           .min = -1,
                                           .max = 1,
                                           .map = plot::ColorMap::diverging,
                                           .label = "p_{m}"});
    return panel;
}

plot::Panel shift_panel(const AbsoluteState& state) {
    const ShiftMap& map = state.shift_map;
    plot::HeatMap heat{.columns = map.size,
                       .rows = map.size,
                       .values = {},
                       .min = -1,
                       .max = 1,
                       .map = plot::ColorMap::diverging};
    for (Index row = 0; row < map.size; ++row) {
        for (Index column = 0; column < map.size; ++column) {
            heat.values.push_back(static_cast<float>(map.at(row, column)));
        }
    }
    const double end = to_double(map.size);
    plot::Panel panel{.id = "shift",
                      .title = fmt::format("shift map M_{{{}}}", state.shift),
                      .corners = {.bottom_left = "p_{m+s} = M_{s} p_{m}, every m"},
                      .x = {.label = "from channel", .min = 0, .max = end, .integers = true},
                      .y = {.label = "to channel", .min = end, .max = 0, .integers = true},
                      .color_bar = true,
                      .column = 1};
    panel.marks.emplace_back(std::move(heat));
    return panel;
}

plot::Panel terms_panel(const AbsoluteState& state) {
    plot::Line sum{.points = {}, .role = Role::text, .width = 1.2, .label = "their sum"};
    plot::Line rope{.points = {}, .role = Role::first, .width = 1.6, .label = "RoPE"};
    double least = 0, most = 0;
    for (const AbsoluteScores& at : state.scores) {
        const double m = to_double(at.m);
        sum.points.push_back({m, at.additive.sum()});
        rope.points.push_back({m, at.rope});
        for (const double value :
             {at.rope, at.additive.sum(), at.additive.content_content, at.additive.content_position,
              at.additive.position_content, at.additive.position_position}) {
            least = std::min(least, value);
            most = std::max(most, value);
        }
    }
    const double margin = 0.08 * (most - least) + 1e-9;
    plot::Panel panel{.id = "terms",
                      .title = "score at one distance, slid along the sequence",
                      .corners = {.top_right = "n − m = " + whole_text(state.delta)},
                      .x = {.label = "position m of the query",
                            .min = to_double(state.scores.front().m),
                            .max = std::max(to_double(state.scores.back().m),
                                            to_double(state.scores.front().m) + 1),
                            .integers = true},
                      .y = {.min = least - margin, .max = most + margin},
                      .row = 1,
                      .column_span = 2};
    panel.marks = {term_line(state, &AdditiveTerms::content_content, Role::dim,
                             plot::Dash::dash_dot, "content · content"),
                   term_line(state, &AdditiveTerms::content_position, Role::second,
                             plot::Dash::dashed, "content · position"),
                   term_line(state, &AdditiveTerms::position_content, Role::second,
                             plot::Dash::dotted, "position · content"),
                   term_line(state, &AdditiveTerms::position_position, Role::third,
                             plot::Dash::long_dash, "position · position"),
                   std::move(sum),
                   std::move(rope)};
    return panel;
}

}  // namespace ropescope::figures
