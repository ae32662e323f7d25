// Puts the context view together: its words, its panels, the values under the cursor and clicks.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <memory>

#include "app/figures/context/context.h"
#include "app/figures/shared/describe.h"
#include "app/figures/shared/text.h"
#include "app/plot/number_text.h"
#include "app/plot/pick.h"
#include "app/scene/parameters.h"
#include "core/scaling/method.h"
#include "core/scaling/scaling.h"

namespace ropescope::figures {
namespace {

using plot::Role;
using plot::say;

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

/// The curves "slowdown", the table "methods", the "block" for config.json and the "notes".
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
                     .ring = true,
                     .of_selection = true});
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
                                                .role = Role::selected,
                                                .of_selection = true});
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

/// The name of a method on screen: "none" for the unscaled encoding.
std::string shown_name(const MethodRow& row) {
    return scaling_name(row.name);
}

}  // namespace

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

namespace {

/// A name at the begin of a sentence: "Linear".
std::string at_begin(std::string name) {
    name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
    return name;
}

plot::Text title(const ContextState& state) {
    const plot::Number target = counted(state.scene.target_length, "position");
    if (state.factor == 1.0) {
        return say("The target is the trained length, {}: nothing to extend", target);
    }
    const plot::Number trained = whole_text(state.scene.original_length);
    if (const MethodRow& row = state.marked_row(); row.name == state.scene.scaling) {
        return say("{} from {} to {}: {} unchanged, {} slower{}", at_begin(scaling_name(row.name)),
                   trained, target, counted(row.kept, "pair"), whole_text(row.slower()),
                   row.faster > 0 ? say(", {} faster", row.faster) : plot::Text());
    }
    const MethodRow& plain = state.rows().front();
    return say("Unscaled from {} to {}: {} of {} {} angles that training never showed", trained,
               target, plain.unseen, counted(plain.spec.pairs(), "pair"),
               agreeing(plain.unseen, "meets", "meet"));
}

plot::Text subtitle(const ContextState& state) {
    return say("How much each method slows each pair. Factor {} = {} / {}, base {}.",
               plot::number_text(state.factor), whole_text(state.scene.target_length),
               whole_text(state.scene.original_length), plot::exact_number_text(state.scene.base));
}

/// Row weights by the lines that each panel has, with 1 for the slowdowns; a note often has two.
std::vector<double> row_weights(const ContextState& state) {
    const auto lines = [](const auto& of) { return to_double(std::ssize(of)); };
    return {1.0, 0.09 * (lines(state.rows()) + 1), 0.07 + 0.06 * lines(state.block),
            0.02 + 0.13 * lines(state.notes)};
}

plot::Figure figure(const ContextState& state) {
    plot::Figure figure;
    figure.view = "context";
    figure.title = title(state);
    figure.subtitle = subtitle(state);
    figure.row_weights = row_weights(state);
    figure.column_weights = {1.0};
    figure.data = context_data(state);
    figure.report = report_head(figure, unscaled_rope_spec(state.scene)) + context_report(state);
    return figure;
}

Index pair_at(const ContextState& state, plot::Point at) {
    return plot::pick_index(at.x, state.rows().front().spec.pairs());
}

/// The row of the table that is nearest to the cursor; the header has none of its own.
const MethodRow& row_at(const ContextState& state, plot::Point at) {
    return state.rows()[plot::pick_index(-at.y - 1, std::ssize(state.rows()))];
}

std::vector<plot::Readout> readouts_of_method(const MethodRow& row) {
    const std::vector<std::string> names = method_header(), values = method_cells(row);
    std::vector<plot::Readout> readouts;
    for (Index i = 0; i < std::ssize(names); ++i) {
        readouts.push_back({names[i], values[i]});
    }
    return readouts;
}

std::vector<plot::Readout> row_readouts(const ContextState& state, plot::Point at) {
    return readouts_of_method(row_at(state, at));
}

std::vector<plot::Readout> marked_readouts(const ContextState& state, plot::Point) {
    return readouts_of_method(state.marked_row());
}

std::vector<plot::Readout> pair_readouts(const ContextState& state, plot::Point at) {
    const Index pair = pair_at(state, at);
    std::vector<plot::Readout> values = {{"pair", fmt::format("{}", pair)}};
    for (const MethodRow& row : state.rows()) {
        values.push_back(
            {shown_name(row) + " λ", plot::number_text(row.spectrum.wavelength_positions(pair))});
    }
    return values;
}

Scene select_pair(const ContextState& state, Scene scene, plot::Point at) {
    scene.selected_pair = pair_at(state, at);
    return scene;
}

Scene choose_method(const ContextState& state, Scene scene, plot::Point at) {
    if (at.y < -0.5) {  // below the header
        scene.scaling = row_at(state, at).name;
    }
    return scene;
}

Picture make(const Scene& scene, Engine&, const Work& work) {
    const auto state = std::make_shared<const ContextState>(make_context_state(scene));
    if (scene.context_show == ContextShow::bases) {
        Picture picture;
        show_base_map(picture, *state, work);
        return picture;
    }
    Picture picture{.figure = figure(*state)};
    picture.add(slowdown_panel(*state), {state, pair_readouts, select_pair});
    picture.add(methods_panel(*state), {state, row_readouts, choose_method});
    picture.add(block_panel(*state), {state, marked_readouts});
    picture.add(notes_panel(*state), {state, marked_readouts});
    return picture;
}

/// The factor and the length of the sequence follow from the target, so they are not read.
std::vector<std::string> read_parameters() {
    std::vector<std::string> names = {"context_show", "model", "target_length", "original_length",
                                      "scaling"};
    const auto extends = [](const std::string& type) {
        return facts(scaling_of_type(type).value()).extends;
    };
    for (const Parameter& parameter : parameters()) {
        const bool follows = parameter.name == kScalingFactor.name || parameter.name == "seq_len";
        const bool listed = std::ranges::find(names, parameter.name) != names.end();
        if (!follows && !listed && std::ranges::any_of(parameter.methods(), extends)) {
            names.push_back(parameter.name);
        }
    }
    names.insert(names.end(), {"head_dim", "rotary_dim", "base", "layout", "selected_pair"});
    return names;
}

}  // namespace

View context_view() {
    return {
        .id = "context",
        .key = '9',
        .name = "Context",
        .group = "Real models",
        .question = "How do I extend a model?",
        .parameters = read_parameters(),
        .make = make,
        .what_you_see =
            "How much slower each pair turns. Linear slows all alike; NTK slows the first pair not "
            "at all and the last by the whole factor; YaRN and Llama 3 slow a pair the less, the "
            "more it turned in training. The table counts pairs: some \"never turn\" round within "
            "the target; some meet \"new angles\" there, which training never showed. Below: the "
            "block for config.json. Choose \"bases\" to see which bases allow a length.",
        .what_to_try =
            "Choose \"methods\" and click one in the table. Double the target: NTK's base grows, "
            "YaRN's ramp stays "
            "where it is. Watch the new angles: beyond the trained length the row \"none\" counts "
            "every pair that finished no turn in training.",
        .formulas = {"s = target / trained", "linear: θ_{i} / s", "NTK: base s^{d/(d−2)}",
                     "YaRN: θ_{i} (1 − r_{i} + r_{i}/s)"},
        .formula_source = "arXiv:2306.15595; arXiv:2309.00071, sections 3.1–3.4",
    };
}

// Writes the context view as text and as CSV.

plot::Text context_report(const ContextState& state) {
    std::vector<std::vector<std::string>> table;
    for (const MethodRow& row : state.rows()) {
        table.push_back(method_cells(row));
    }
    plot::Text text =
        text_table(method_header(), table) +
        "\nkept, blended, slowed: pairs at their old speed, in between, slower by "
        "the whole factor or more\n"
        "never turn: pairs that finish no turn within the target\n"
        "new angles: pairs that finished none in training and reach angles within the "
        "target that training never showed\n"
        "cos/sin factor, softmax factor: multiply cos and sin, and the softmax scale\n\n";
    for (const plot::Facts::Fact& note : state.notes) {
        text += note.name + ": " + note.text + "\n";
    }
    text += "\n";
    for (const MethodRow& row : state.rows()) {
        if (!row.is<NoScaling>()) {
            text += plot::say("{}: {}\n", row.name, state.block_of(row));
        }
    }
    return text +
           plot::say("\nThe block in the picture:\n{}\n", state.block_of(state.marked_row()));
}

plot::DataTable context_data(const ContextState& state) {
    std::vector<std::string> method;
    std::vector<Index> pair;
    std::vector<double> inv_freq, wavelength, slowdown, attention, softmax;
    for (const MethodRow& row : state.rows()) {
        for (int i = 0; i < row.spectrum.pairs(); ++i) {
            method.push_back(row.name);
            pair.push_back(i);
            inv_freq.push_back(row.spectrum.inv_freq_rad[i]);
            wavelength.push_back(row.spectrum.wavelength_positions(i));
            slowdown.push_back(row.slowdown[i]);
            attention.push_back(row.spectrum.attention_factor);
            softmax.push_back(row.spectrum.softmax_scale_factor);
        }
    }
    return {{{"method", method},
             {"pair", pair},
             {"inv_freq_rad", inv_freq},
             {"wavelength_positions", wavelength},
             {"slowdown", slowdown},
             {"attention_factor", attention},
             {"softmax_scale_factor", softmax}}};
}

}  // namespace ropescope::figures
