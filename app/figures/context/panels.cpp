// Draws the panels of the context view.
#include "app/figures/context/panels.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "app/figures/describe.h"
#include "app/figures/lines_panel.h"
#include "app/figures/method_look.h"
#include "app/plot/number_text.h"

namespace ropescope::figures {
namespace {

using plot::Role;

/// At the target length dynamic stretches the base as NTK does at every length: both share a line.
bool drawn_with_ntk(const MethodRow& row, const ContextState& state) {
    return row.is<DynamicNtkScaling>() && state.methods.find<NtkScaling>() != nullptr;
}

plot::Line slowdown_line(const MethodRow& row, const ContextState& state) {
    const MethodRow* dynamic = state.methods.find<DynamicNtkScaling>();
    const bool both = row.is<NtkScaling>() && dynamic != nullptr;
    const MethodRow* marked = &state.marked_row();
    const bool chosen = marked == &row || (both && marked == dynamic);
    plot::Line line{.points = {},
                    .role = method_look(row.name).role,
                    .width = chosen ? 1.6 : 0.8,
                    .dash = method_look(row.name).dash,
                    .label = both ? scaling_name(row.name) + ", " + scaling_name(dynamic->name)
                                  : scaling_name(row.name)};
    for (Index i = 0; i < std::ssize(row.slowdown); ++i) {
        if (std::isfinite(row.slowdown[i])) {
            line.points.push_back({to_double(i), row.slowdown[i]});
        }
    }
    return line;
}

}  // namespace

plot::Panel slowdown_panel(const ContextState& state) {
    const Index pairs = state.rows().front().spec.pairs();
    plot::Panel panel{
        .id = "slowdown",
        .x = {.label = "pair", .min = -0.75, .max = to_double(pairs) - 0.25, .integers = true},
        .y = {.label = "slower by a factor of",
              .min = 0.93,
              .max = std::max(state.factor * 1.15, 1.2),
              .scale = plot::AxisScale::log10}};
    panel.marks.emplace_back(plot::Rule{
        .vertical = false, .at = state.factor, .role = Role::dim, .label = "target / trained"});
    for (const MethodRow& row : state.rows()) {
        if (row.is<NoScaling>() || drawn_with_ntk(row, state)) {
            continue;
        }
        plot::Line line = slowdown_line(row, state);
        for (const plot::Point& point : line.points) {
            panel.y.min = std::min(panel.y.min, point.y * 0.93);
            panel.y.max = std::max(panel.y.max, point.y * 1.15);
        }
        panel.marks.emplace_back(std::move(line));
    }
    const Index pair = state.scene.selected_pair;
    panel.marks.emplace_back(
        plot::Points{.points = {{to_double(pair), state.marked_row().slowdown[pair]}},
                     .role = method_look(state.marked_row().name).role,
                     .radius_px = 6,
                     .ring = true});
    return panel;
}

plot::Panel methods_panel(const ContextState& state) {
    const std::vector<std::string> header = method_header();
    plot::Panel panel =
        lines_panel("methods", to_double(std::ssize(header)), std::ssize(state.rows()) + 1, 1);
    add_line(panel, 0, header, Role::dim);
    // The counts of pairs go last, and with them the method and its base.
    constexpr int kKeep[] = {9, 3, 1, 0, 2, 2, 2, 4, 5};
    for (Index column = 0; column < std::ssize(header); ++column) {
        const double x = to_double(column);
        panel.columns.push_back({.first = x, .last = x + 1, .keep = kKeep[column]});
    }
    panel.rows.push_back({.first = -0.5, .last = 0.5, .keep = 2, .counted = false});
    double line = 1;
    for (const MethodRow& row : state.rows()) {
        const bool marked = &row == &state.marked_row();
        panel.rows.push_back({.first = -line - 0.5, .last = -line + 0.5, .keep = marked ? 1 : 0});
        if (marked) {
            panel.marks.emplace_back(plot::Band{.vertical = false,
                                                .first = -line - 0.48,
                                                .last = -line + 0.48,
                                                .role = Role::selected});
        }
        add_line(panel, line, method_cells(row), Role::text);
        line += 1;
    }
    return panel;
}

plot::Panel block_panel(const ContextState& state) {
    plot::Panel panel = lines_panel("block", 1, std::ssize(state.block), 2);
    double y = 0;
    for (const std::string& line : state.block) {
        panel.rows.push_back({.first = y - 0.5, .last = y + 0.5});
        panel.marks.emplace_back(
            plot::Label{.at = {0.0075, y}, .text = line, .anchor_y = 0.5, .mono = true});
        y -= 1;
    }
    return panel;
}

plot::Panel notes_panel(const ContextState& state) {
    plot::Panel panel{.id = "notes",
                      .x = {.min = 0, .max = 1, .visible = false},
                      .y = {.min = 0, .max = 1, .visible = false},
                      .row = 3};
    panel.marks.emplace_back(plot::Facts{state.notes});
    return panel;
}

std::string shown_name(const MethodRow& row) {
    return scaling_name(row.name);
}

std::vector<std::string> method_header() {
    return {"method",  "base",   "cos/sin factor", "softmax factor", "kept",
            "blended", "slowed", "never turn",     "new angles"};
}

std::vector<std::string> method_cells(const MethodRow& row) {
    return {shown_name(row),
            plot::number_text(row.base()),
            plot::number_text(row.spectrum.attention_factor),
            plot::number_text(row.spectrum.softmax_scale_factor),
            fmt::format("{}", row.kept),
            fmt::format("{}", row.blended),
            fmt::format("{}", row.slowed),
            fmt::format("{}", row.unfinished),
            fmt::format("{}", row.unseen)};
}

}  // namespace ropescope::figures
