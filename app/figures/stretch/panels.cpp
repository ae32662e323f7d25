// Draws the panels of the stretching view.
#include "app/figures/stretch/panels.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "app/figures/describe.h"
#include "app/figures/lines_panel.h"
#include "app/figures/method_look.h"
#include "app/figures/text.h"
#include "app/plot/number_text.h"

namespace ropescope::figures {
namespace {

using plot::Point;
using plot::Role;

plot::Line line_of(const StretchRow& row) {
    const MethodLook look = method_look(row.type);
    return {.points = {}, .role = look.role, .dash = look.dash, .label = scaling_name(row.type)};
}

/// The share of a model whose rotation says nothing, for comparison.
void add_reference(plot::Panel& panel, double share, const char* label) {
    panel.marks.emplace_back(
        plot::Rule{.vertical = false, .at = 100 * share, .role = Role::dim, .label = label});
}

/// Where a curve of turns that falls by a factor from pair to pair is one: between two pairs.
double crossing_of_one_turn(const StretchState& state) {
    const Index pairs = state.unscaled().spectrum.pairs();
    Index last = 0;
    while (last + 1 < pairs && state.trained_turns(last + 1) >= 1) {
        ++last;
    }
    const double before = std::log(state.trained_turns(last));
    const double after = std::log(state.trained_turns(std::min(last + 1, pairs - 1)));
    return to_double(last) + (before > after ? before / (before - after) : 0.0);
}

/// Between the turns of the training and one whole turn, for the pairs that did not finish one.
plot::Area unseen_area(const StretchState& state) {
    const double first = crossing_of_one_turn(state);
    plot::Area area{
        .low = {{first, 1}}, .high = {{first, 1}}, .role = Role::wrong, .opacity = 0.13};
    for (Index pair = 0; pair < state.unscaled().spectrum.pairs(); ++pair) {
        if (to_double(pair) > first) {
            area.low.push_back({to_double(pair), state.trained_turns(pair)});
            area.high.push_back({to_double(pair), 1});
        }
    }
    return area;
}

/// What the method is given at this length, in a few words.
std::string settings_text(const StretchState& state, const StretchRow& row) {
    if (row.method == demo::StretchMethod::none || state.factor == 1.0) {
        return "as trained";
    }
    std::string text = "factor " + plot::number_text(state.factor);
    if (const auto* ntk = std::get_if<NtkScaling>(&row.spec.scaling)) {
        text += ", so base " +
                plot::number_text(std::round(scaled_base(*ntk, frequency_input(row.spec))));
    }
    if (const auto* yarn = std::get_if<YarnScaling>(&row.spec.scaling)) {
        text += fmt::format(" from {}, β {} and {}, cos/sin × {}", yarn->original_positions,
                            plot::number_text(yarn->beta_fast), plot::number_text(yarn->beta_slow),
                            plot::number_text(row.spectrum.attention_factor));
    }
    if (const auto* llama3 = std::get_if<Llama3Scaling>(&row.spec.scaling)) {
        text += fmt::format(" from {}, low {}, high {}", llama3->original_positions,
                            plot::number_text(llama3->low_freq_factor),
                            plot::number_text(llama3->high_freq_factor));
    }
    return text;
}

/// The settings are words, so they begin at the left of their column.
void add_method_line(plot::Panel& panel, double line, std::vector<std::string> cells, Role role) {
    const std::string settings = cells.back();
    cells.pop_back();
    const double column = to_double(std::ssize(cells));
    add_line(panel, line, cells, role);
    panel.marks.emplace_back(
        plot::Label{.at = {column + 0.12, -line}, .text = settings, .role = role, .anchor_y = 0.5});
}

}  // namespace

std::string percent_text(double share) {
    return fixed_text(100 * share, 1);
}

std::vector<plot::LegendEntry> stretch_legend(const StretchState& state) {
    std::vector<plot::LegendEntry> entries;
    for (const StretchRow& row : state.rows) {
        const MethodLook look = method_look(row.type);
        entries.push_back(
            {scaling_name(row.type), look.role, plot::LegendEntry::Kind::line, look.dash});
    }
    return entries;
}

plot::Panel accuracy_panel(const StretchState& state) {
    const double first = to_double(state.lengths.front()), last = to_double(state.lengths.back());
    plot::Panel panel{.id = "accuracy",
                      .title = "right answers",
                      .x = {.label = "length of the text (tokens)",
                            .min = first / 1.12,
                            .max = last * 1.12,
                            .scale = plot::AxisScale::log10,
                            .integers = true},
                      .y = {.label = "%", .min = 0}};
    panel.marks.emplace_back(plot::Band{
        .first = panel.x.min, .last = first, .role = Role::selected, .label = "trained"});
    panel.marks.emplace_back(
        plot::Rule{.at = to_double(state.length), .role = Role::accent, .dashed = false});
    add_reference(panel, demo::demo_scores().held_out.no_position.share(),
                  "a model without positions");
    for (const StretchRow& row : state.rows) {
        plot::Line line = line_of(row);
        for (const Index length : state.lengths) {
            line.points.push_back({to_double(length), 100 * state.share(row, length)});
            panel.y.max = std::max(panel.y.max, 1.15 * line.points.back().y);
        }
        panel.marks.emplace_back(
            plot::Points{.points = line.points, .role = line.role, .radius_px = 3.5});
        panel.marks.emplace_back(std::move(line));
    }
    return panel;
}

plot::Panel turns_panel(const StretchState& state) {
    const Index pairs = state.unscaled().spectrum.pairs();
    plot::Panel panel{
        .id = "turns",
        .title = fmt::format("turns within {} tokens", whole_text(state.length)),
        .x = {.label = "pair", .min = -0.5, .max = to_double(pairs) - 0.5, .integers = true},
        .y = {.label = "turns",
              .min = 0.5 * state.trained_turns(pairs - 1),
              .max = 2 * state.unscaled().turns(0, state.lengths.back()),
              .scale = plot::AxisScale::log10},
        .column = 1};
    panel.marks.emplace_back(unseen_area(state));
    panel.marks.emplace_back(
        plot::Rule{.vertical = false, .at = 1, .role = Role::dim, .label = "one turn"});
    for (const StretchRow& row : state.rows) {
        plot::Line line = line_of(row);
        for (Index pair = 0; pair < pairs; ++pair) {
            line.points.push_back({to_double(pair), row.turns(pair, state.length)});
        }
        panel.marks.emplace_back(std::move(line));
    }
    panel.marks.emplace_back(plot::Label{.at = {to_double(pairs) - 1, 0.8},
                                         .text = "new angles",
                                         .role = Role::wrong,
                                         .anchor_x = 1,
                                         .anchor_y = 1});
    return panel;
}

std::vector<std::string> stretch_header() {
    return {"method", "% right", "to trained", "slower pairs", "new angles", "settings"};
}

std::vector<std::string> stretch_cells(const StretchState& state, const StretchRow& row) {
    const double change = row.count.share() - state.share(row, demo::kTrainedLength);
    return {scaling_name(row.type),
            percent_text(row.count.share()),
            row.count.right == demo::demo_scores().held_out.of(demo::RopeChange::none).right
                ? "0.0"
                : signed_text(100 * change, 1),
            fmt::format("{}", row.slower),
            fmt::format("{}", row.unseen),
            settings_text(state, row)};
}

plot::Panel stretch_methods_panel(const StretchState& state) {
    const std::vector<std::string> header = stretch_header();
    plot::Panel panel =
        lines_panel("methods", to_double(std::ssize(header)), std::ssize(state.rows) + 1, 1);
    panel.column_span = 2;
    add_method_line(panel, 0, header, Role::dim);
    // The settings are long: they go first, so that all that was counted stays.
    constexpr int kKeep[] = {9, 8, 5, 3, 4, 2};
    for (Index column = 0; column < std::ssize(header); ++column) {
        const double x = to_double(column);
        panel.columns.push_back({.first = x, .last = x + 1, .keep = kKeep[column]});
    }
    panel.rows.push_back({.first = -0.5, .last = 0.5, .keep = 2, .counted = false});
    double line = 1;
    for (const StretchRow& row : state.rows) {
        panel.rows.push_back({.first = -line - 0.5, .last = -line + 0.5});
        add_method_line(panel, line, stretch_cells(state, row), Role::text);
        line += 1;
    }
    return panel;
}

}  // namespace ropescope::figures
