// Puts the stretch view together: its words, its panels, the values under the cursor and clicks.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <numbers>

#include "app/figures/shared/describe.h"
#include "app/figures/shared/text.h"
#include "app/figures/stretch/stretch.h"
#include "app/plot/number_text.h"
#include "app/plot/pick.h"
#include "core/scaling/method.h"
#include "core/scaling/ntk.h"

namespace ropescope::figures {
namespace {

using plot::Point;
using plot::Role;
using plot::say;

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
plot::Text settings_text(const StretchState& state, const StretchRow& row) {
    if (row.method == demo::StretchMethod::none || state.factor == 1.0) {
        return "as trained";
    }
    plot::Text text = say("factor {}", plot::number_text(state.factor));
    if (const auto* ntk = std::get_if<NtkScaling>(&row.spec.scaling)) {
        text += say(", so base {}",
                    plot::number_text(std::round(scaled_base(*ntk, frequency_input(row.spec)))));
    }
    if (const auto* yarn = std::get_if<YarnScaling>(&row.spec.scaling)) {
        text += say(" from {}, β {} and {}, cos/sin × {}", yarn->original_positions,
                    plot::number_text(yarn->beta_fast), plot::number_text(yarn->beta_slow),
                    plot::number_text(row.spectrum.attention_factor));
    }
    if (const auto* llama3 = std::get_if<Llama3Scaling>(&row.spec.scaling)) {
        text += say(" from {}, low {}, high {}", llama3->original_positions,
                    plot::number_text(llama3->low_freq_factor),
                    plot::number_text(llama3->high_freq_factor));
    }
    return text;
}

/// The settings are words, so they begin at the left of their column.
void add_method_line(plot::Panel& panel, double line, const std::vector<std::string>& cells,
                     const plot::Text& settings, Role role) {
    const double column = to_double(std::ssize(cells));
    add_line(panel, line, cells, role);
    panel.marks.emplace_back(
        plot::Label{.at = {column + 0.12, -line}, .text = settings, .role = role, .anchor_y = 0.5});
}

}  // namespace

plot::Number percent_text(double share) {
    return fixed_text(100 * share, 1);
}

namespace {

/// An entry for each method.
std::vector<plot::LegendEntry> stretch_legend(const StretchState& state) {
    std::vector<plot::LegendEntry> entries;
    for (const StretchRow& row : state.rows) {
        const MethodLook look = method_look(row.type);
        entries.push_back(
            {scaling_name(row.type), look.role, plot::LegendEntry::Kind::line, look.dash});
    }
    return entries;
}

/// The curves "accuracy" over the length and "turns" over the pairs, and the table "methods".
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
    panel.marks.emplace_back(plot::Rule{.at = to_double(state.length),
                                        .role = Role::accent,
                                        .dashed = false,
                                        .of_selection = true});
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
        .title = say("turns within {} tokens", whole_text(state.length)),
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

}  // namespace

std::vector<std::string> stretch_header() {
    return {"method", "% right", "to trained", "slower pairs", "new angles"};
}

std::vector<std::string> stretch_cells(const StretchState& state, const StretchRow& row) {
    const double change = row.count.share() - state.share(row, demo::kTrainedLength);
    return {scaling_name(row.type), percent_text(row.count.share()),
            row.count.right == demo::demo_scores().held_out.of(demo::RopeChange::none).right
                ? std::string("0.0")
                : signed_text(100 * change, 1),
            fmt::format("{}", row.slower), fmt::format("{}", row.unseen)};
}

namespace {

plot::Panel stretch_methods_panel(const StretchState& state) {
    const std::vector<std::string> header = stretch_header();
    plot::Panel panel =
        lines_panel("methods", to_double(std::ssize(header)) + 1, std::ssize(state.rows) + 1, 1);
    panel.column_span = 2;
    add_method_line(panel, 0, header, "settings", Role::dim);
    // The settings are long: they go first, so that all that was counted stays.
    constexpr int kKeep[] = {9, 8, 5, 3, 4, 2};
    for (Index column = 0; column < std::ssize(kKeep); ++column) {
        const double x = to_double(column);
        panel.columns.push_back({.first = x, .last = x + 1, .keep = kKeep[column]});
    }
    panel.rows.push_back({.first = -0.5, .last = 0.5, .keep = 2, .counted = false});
    double line = 1;
    for (const StretchRow& row : state.rows) {
        panel.rows.push_back({.first = -line - 0.5, .last = -line + 0.5});
        add_method_line(panel, line, stretch_cells(state, row), settings_text(state, row),
                        Role::text);
        line += 1;
    }
    return panel;
}

plot::Text title(const StretchState& state) {
    const plot::Number unscaled = percent_text(state.unscaled().count.share());
    if (state.factor == 1.0) {
        return say("In texts of {} tokens, as in training: {} % right", whole_text(state.length),
                   unscaled);
    }
    if (!state.a_method_helps()) {
        return say(
            "In texts of {} tokens: {} % right unscaled, and no method is better by two "
            "standard errors",
            whole_text(state.length), unscaled);
    }
    return say("In texts of {} tokens: {} % right unscaled, {} % with {}", whole_text(state.length),
               unscaled, percent_text(state.best().count.share()), scaling_name(state.best().type));
}

plot::Text subtitle(const StretchState& state) {
    return say("A model trained on {} tokens names hidden pieces, {} in all. Factor {} = {} / {}.",
               whole_text(demo::kTrainedLength), whole_text(state.unscaled().count.of),
               plot::number_text(state.factor), whole_text(state.length),
               whole_text(demo::kTrainedLength));
}

plot::Figure figure(const StretchState& state) {
    plot::Figure figure;
    figure.view = "stretch";
    figure.title = title(state);
    figure.subtitle = subtitle(state);
    figure.legend = stretch_legend(state);
    figure.row_weights = {1.0, 0.68};
    figure.column_weights = {1.0, 1.0};
    figure.data = stretch_data(state);
    figure.report = report_head(figure, state.unscaled().spec) + stretch_report(state);
    return figure;
}

/// The measured length that is nearest on the logarithmic axis.
Index length_at(const StretchState& state, plot::Point at) {
    const double doublings = at.x > 0 ? std::log2(at.x / to_double(state.lengths.front())) : 0.0;
    return state.lengths[plot::pick_index(doublings, std::ssize(state.lengths))];
}

std::vector<plot::Readout> accuracy_readouts(const StretchState& state, plot::Point at) {
    const Index length = length_at(state, at);
    std::vector<plot::Readout> values = {{"tokens", whole_text(length)}};
    for (const StretchRow& row : state.rows) {
        values.push_back({scaling_name(row.type), percent_text(state.share(row, length)) + " %"});
    }
    return values;
}

std::vector<plot::Readout> turns_readouts(const StretchState& state, plot::Point at) {
    const Index pair = plot::pick_index(at.x, state.unscaled().spectrum.pairs());
    std::vector<plot::Readout> values = {
        {"pair", fmt::format("{}", pair)},
        {"turns in training", plot::number_text(state.trained_turns(pair))}};
    for (const StretchRow& row : state.rows) {
        values.push_back(
            {scaling_name(row.type), plot::number_text(row.turns(pair, state.length))});
    }
    return values;
}

std::vector<plot::Readout> method_readouts(const StretchState& state, plot::Point at) {
    const StretchRow& row = state.rows[plot::pick_index(-at.y - 1, std::ssize(state.rows))];
    const std::vector<std::string> names = stretch_header(), cells = stretch_cells(state, row);
    std::vector<plot::Readout> values;
    for (std::size_t i = 0; i < names.size(); ++i) {
        values.push_back({names[i], cells[i]});
    }
    values.push_back({"settings", settings_text(state, row)});
    return values;
}

/// Chooses the measured length that is nearest.
Scene choose_length(const StretchState& state, Scene scene, plot::Point at) {
    scene.stretch_length = fmt::format("{}", length_at(state, at));
    return scene;
}

Picture make(const Scene& scene, Engine&, const Work&) {
    const auto state = std::make_shared<const StretchState>(make_stretch_state(scene));
    Picture picture{.figure = figure(*state)};
    picture.add(accuracy_panel(*state), {state, accuracy_readouts, choose_length});
    picture.add(turns_panel(*state), {state, turns_readouts});
    picture.add(stretch_methods_panel(*state), {state, method_readouts});
    return picture;
}

}  // namespace

View stretch_view() {
    return {
        .id = "stretch",
        .key = 'S',
        .name = "Stretching",
        .group = "Real models",
        .question = "What does a trained model make of longer texts?",
        .parameters = {"stretch_length"},
        .make = make,
        .of_trained_model = true,
        .what_you_see =
            "A small model was trained on short texts: \"right answers\" shows how many hidden "
            "pieces it names rightly in longer ones. \"Turns\" shows how often each pair turns "
            "within a text of the chosen length; in the shaded area lie angles that no text of the "
            "training had. The table compares the methods at that length.",
        .what_to_try =
            "Click a length. Linear scaling meets no new angle and still fails: it slows every "
            "pair, the fast ones too. Twice the trained length needs no scaling. At eight times, "
            "YaRN loses least.",
        .formulas = {"s = length / trained", "linear: θ_{i} / s", "NTK: base s^{d/(d−2)}",
                     "YaRN, Llama 3: θ_{i} (1 − r_{i} + r_{i}/s)"},
        .formula_source = "arXiv:2306.15595; arXiv:2309.00071; Llama 3.1",
    };
}

}  // namespace ropescope::figures
