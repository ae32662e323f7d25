#include "app/figures/context/view.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "app/figures/context/block.h"
#include "app/figures/context/notes.h"
#include "app/figures/describe.h"
#include "app/figures/text.h"
#include "app/plot/layout.h"

namespace ropescope::figures {
namespace {

using plot::Role;

constexpr std::size_t kWidestLine = 84;  ///< characters of the block

struct ContextState {
    Methods methods;
    std::string chosen;  ///< name of the row that is marked
    double factor = 1;
    std::optional<ModelConfig> model;

    const std::vector<MethodRow>& rows() const { return methods.rows; }
    const MethodRow& chosen_row() const { return *methods.find(chosen); }
    std::string block(const MethodRow& row) const {
        const std::string key = base_key(model);
        return rope_scaling_block(row, key.empty() ? "rope_theta" : key);
    }
};

ContextState make_state(const Scene& scene) {
    Methods methods = extension_methods(scene);
    const std::string chosen = chosen_row(scene, methods.rows).name;
    return {.methods = std::move(methods),
            .chosen = chosen,
            .factor = needed_factor(scene),
            .model = named_model(scene)};
}

std::string spoken_name(const std::string& name) {
    return name == "default" ? "none" : name;
}

Role role_of(const std::string& name) {
    if (name == "linear") {
        return Role::key;
    }
    if (name == "ntk" || name == "dynamic") {
        return Role::cos_part;
    }
    if (name == "yarn") {
        return Role::query;
    }
    return name == "llama3" ? Role::sin_part : name == "longrope" ? Role::text : Role::dim;
}

std::string title(const Scene& scene, const ContextState& state) {
    const MethodRow& row = state.chosen_row();
    if (state.factor == 1.0) {
        return fmt::format("{} positions are what the model was trained on: nothing to extend",
                           whole_text(scene.target_length));
    }
    return fmt::format("{} carries {} trained positions to {}: {} keep their speed, {} slow down",
                       row.name, whole_text(scene.original_length), whole_text(scene.target_length),
                       counted(row.kept, "pair"), whole_text(row.blended + row.slowed));
}

std::string subtitle(const Scene& scene, const ContextState& state) {
    return fmt::format("How much each method slows each pair; factor {} = {} / {}, base {}.",
                       plot::number_text(state.factor), whole_text(scene.target_length),
                       whole_text(scene.original_length), plot::exact_number_text(scene.base));
}

/// At the target length dynamic stretches the base as NTK does at every length: one line for both.
bool drawn_with_ntk(const MethodRow& row, const ContextState& state) {
    return row.name == "dynamic" && state.methods.find("ntk") != nullptr;
}

plot::Line slowdown_line(const MethodRow& row, const ContextState& state) {
    const bool both = row.name == "ntk" && state.methods.find("dynamic") != nullptr;
    const bool chosen = row.name == state.chosen || (both && state.chosen == "dynamic");
    plot::Line line{.points = {},
                    .role = role_of(row.name),
                    .width = chosen ? 1.6 : 0.8,
                    .label = both ? "ntk, dynamic" : row.name};
    for (std::size_t i = 0; i < row.slowdown.size(); ++i) {
        if (std::isfinite(row.slowdown[i])) {
            line.points.push_back({static_cast<double>(i), row.slowdown[i]});
        }
    }
    return line;
}

plot::Panel slowdown_panel(const Scene& scene, const ContextState& state) {
    const int pairs = state.rows().front().spec.pairs();
    plot::Panel panel{.id = "slowdown",
                      .x = {.label = "pair", .min = -0.75, .max = pairs - 0.25, .integers = true},
                      .y = {.label = "slower by a factor of",
                            .min = 0.93,
                            .max = std::max(state.factor * 1.15, 1.2),
                            .scale = plot::AxisScale::log10}};
    panel.marks.emplace_back(plot::Rule{
        .vertical = false, .at = state.factor, .role = Role::dim, .label = "target / trained"});
    for (const MethodRow& row : state.rows()) {
        if (row.name == "default" || drawn_with_ntk(row, state)) {
            continue;
        }
        plot::Line line = slowdown_line(row, state);
        for (const plot::Point& point : line.points) {
            panel.y.min = std::min(panel.y.min, point.y * 0.93);
            panel.y.max = std::max(panel.y.max, point.y * 1.15);
        }
        panel.marks.emplace_back(std::move(line));
    }
    const auto pair = static_cast<std::size_t>(scene.selected_pair);
    panel.marks.emplace_back(
        plot::Points{.points = {{static_cast<double>(pair), state.chosen_row().slowdown[pair]}},
                     .role = role_of(state.chosen),
                     .radius_px = 6,
                     .ring = true});
    return panel;
}

std::vector<std::string> header() {
    return {"method",  "base",   "attention", "softmax", "kept",
            "blended", "slowed", "no turn",   "unseen"};
}

std::vector<std::string> cells(const MethodRow& row) {
    return {spoken_name(row.name),
            plot::number_text(row.base()),
            plot::number_text(row.spectrum.attention_factor),
            plot::number_text(row.spectrum.softmax_scale_factor),
            fmt::format("{}", row.kept),
            fmt::format("{}", row.blended),
            fmt::format("{}", row.slowed),
            fmt::format("{}", row.unfinished),
            fmt::format("{}", row.unseen)};
}

/// The table as text in a panel without axes, line n at y = -n; the chosen method is shaded.
plot::Panel table_panel(const ContextState& state) {
    const auto lines = static_cast<double>(state.rows().size() + 1);
    plot::Panel panel{.id = "methods",
                      .x = {.min = 0, .max = 9, .visible = false},
                      .y = {.min = 0.3 - lines, .max = 0.7, .visible = false},
                      .row = 1};
    const auto add = [&](double line, const std::vector<std::string>& texts, Role role) {
        for (std::size_t column = 0; column < texts.size(); ++column) {
            panel.marks.emplace_back(
                plot::Label{.at = {column == 0 ? 0.06 : static_cast<double>(column) + 0.9, -line},
                            .text = texts[column],
                            .role = role,
                            .anchor_x = column == 0 ? 0.0 : 1.0,
                            .anchor_y = 0.5,
                            .mono = column > 0 && line > 0});
        }
    };
    add(0, header(), Role::dim);
    double line = 1;
    for (const MethodRow& row : state.rows()) {
        const bool chosen = row.name == state.chosen;
        if (chosen) {
            panel.marks.emplace_back(plot::Band{.vertical = false,
                                                .first = -line - 0.48,
                                                .last = -line + 0.48,
                                                .role = Role::selected});
        }
        add(line, cells(row), Role::text);
        line += 1;
    }
    return panel;
}

/// The block to copy, in lines that fit a narrow window.
plot::Panel block_panel(const ContextState& state) {
    const std::vector<std::string> lines =
        block_lines(state.block(state.chosen_row()), kWidestLine);
    plot::Panel panel{
        .id = "block",
        .x = {.min = 0, .max = 1, .visible = false},
        .y = {.min = 0.3 - static_cast<double>(lines.size()), .max = 0.7, .visible = false},
        .row = 2};
    for (std::size_t i = 0; i < lines.size(); ++i) {
        panel.marks.emplace_back(plot::Label{.at = {0.0075, -static_cast<double>(i)},
                                             .text = lines[i],
                                             .anchor_y = 0.5,
                                             .mono = true});
    }
    return panel;
}

plot::Panel notes_panel(std::vector<plot::Facts::Fact> notes) {
    plot::Panel panel{.id = "notes",
                      .x = {.min = 0, .max = 1, .visible = false},
                      .y = {.min = 0, .max = 1, .visible = false},
                      .row = 3};
    panel.marks.emplace_back(plot::Facts{std::move(notes)});
    return panel;
}

plot::DataTable data(const ContextState& state) {
    std::vector<std::string> method;
    std::vector<std::int64_t> pair;
    std::vector<double> inv_freq, wavelength, slowdown, attention, softmax;
    for (const MethodRow& row : state.rows()) {
        for (int i = 0; i < row.spectrum.pairs(); ++i) {
            method.push_back(row.name);
            pair.push_back(i);
            inv_freq.push_back(row.spectrum.inv_freq_rad[static_cast<std::size_t>(i)]);
            wavelength.push_back(row.spectrum.wavelength_positions(i));
            slowdown.push_back(row.slowdown[static_cast<std::size_t>(i)]);
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

std::string report(const ContextState& state, const std::vector<plot::Facts::Fact>& notes) {
    std::vector<std::vector<std::string>> table;
    for (const MethodRow& row : state.rows()) {
        table.push_back(cells(row));
    }
    std::string text = text_table(header(), table) +
                       "\nkept, blended, slowed: pairs at their old speed, in between, slower by "
                       "the whole factor\n"
                       "no turn: pairs that finish no turn within the target\n"
                       "unseen: of those that finished none in training, how many reach angles "
                       "that training never showed\n"
                       "attention: factor on cos and sin; softmax: on the softmax scale\n\n";
    for (const plot::Facts::Fact& note : notes) {
        text += fmt::format("{}: {}\n", note.name, note.text);
    }
    text += "\n";
    for (const MethodRow& row : state.rows()) {
        if (row.name != "default") {
            text += fmt::format("{}: {}\n", row.name, state.block(row));
        }
    }
    return text + fmt::format("\nThe one in the picture:\n{}\n", state.block(state.chosen_row()));
}

/// By the lines that each panel has, the slowdowns' being 1; a note often has two.
std::vector<double> row_weights(const ContextState& state, std::size_t notes) {
    const auto lines = block_lines(state.block(state.chosen_row()), kWidestLine).size();
    return {1.0, 0.09 * static_cast<double>(state.rows().size() + 1),
            0.07 + 0.06 * static_cast<double>(lines), 0.02 + 0.13 * static_cast<double>(notes)};
}

plot::Figure figure(const Scene& scene, Engine&, const Work&) {
    const ContextState state = make_state(scene);
    plot::Figure figure;
    figure.view = "context";
    figure.title = title(scene, state);
    figure.subtitle = subtitle(scene, state);
    const auto notes = context_notes(scene, state.methods, state.chosen_row(), state.model);
    figure.panels = {slowdown_panel(scene, state), table_panel(state), block_panel(state),
                     notes_panel(notes)};
    figure.row_weights = row_weights(state, notes.size());
    figure.column_weights = {1.0};
    figure.data = data(state);
    figure.report = report_head(figure, unscaled_rope_spec(scene)) + report(state, notes);
    return figure;
}

int pair_at(const Scene& scene, plot::Point at) {
    const double last = static_cast<double>(scene.rotary_dim) / 2 - 1;
    return std::isfinite(at.x) ? static_cast<int>(std::clamp(std::round(at.x), 0.0, last)) : 0;
}

/// The row of the table that is nearest to the cursor.
std::size_t row_at(const std::vector<MethodRow>& rows, plot::Point at) {
    const double last = static_cast<double>(rows.size()) - 1;
    return static_cast<std::size_t>(
        std::isfinite(at.y) ? std::clamp(std::round(-at.y) - 1, 0.0, last) : 0.0);
}

std::vector<plot::Readout> method_readouts(const MethodRow& row) {
    const std::vector<std::string> names = header(), values = cells(row);
    std::vector<plot::Readout> readouts;
    for (std::size_t i = 0; i < names.size(); ++i) {
        readouts.push_back({names[i], values[i]});
    }
    return readouts;
}

std::vector<plot::Readout> readouts(const Scene& scene, std::string_view panel, plot::Point at) {
    const std::vector<MethodRow> rows = extension_methods(scene).rows;
    if (panel == "methods") {
        return method_readouts(rows[row_at(rows, at)]);
    }
    if (panel == "block" || panel == "notes") {
        return method_readouts(chosen_row(scene, rows));
    }
    if (panel != "slowdown") {
        return {};
    }
    const int pair = pair_at(scene, at);
    std::vector<plot::Readout> values = {{"pair", fmt::format("{}", pair)}};
    for (const MethodRow& row : rows) {
        values.push_back({spoken_name(row.name) + " λ",
                          plot::number_text(row.spectrum.wavelength_positions(pair))});
    }
    return values;
}

/// A row of the table chooses its method.
Scene clicked(const Scene& scene, std::string_view panel, plot::Point at) {
    Scene next = scene;
    if (panel == "slowdown") {
        next.selected_pair = pair_at(scene, at);
    }
    if (panel == "methods" && at.y < -0.5) {  // below the header
        const std::vector<MethodRow> rows = extension_methods(scene).rows;
        next.scaling = rows[row_at(rows, at)].name;
    }
    return next;
}

}  // namespace

View context_view() {
    return {
        .id = "context",
        .name = "Context",
        .group = "Real models",
        .question = "How do I extend a model?",
        .parameters = {"model",
                       "target_length",
                       "original_length",
                       "scaling",
                       "attention_factor",
                       "yarn_beta_fast",
                       "yarn_beta_slow",
                       "yarn_truncate",
                       "yarn_mscale",
                       "yarn_mscale_all_dim",
                       "yarn_softmax",
                       "llama3_low_freq_factor",
                       "llama3_high_freq_factor",
                       "longrope_short",
                       "longrope_long",
                       "head_dim",
                       "rotary_dim",
                       "base",
                       "layout",
                       "selected_pair"},
        .figure = figure,
        .readouts = readouts,
        .clicked = clicked,
        .what_you_see =
            "How much slower each pair turns. Linear slows all alike, NTK bends the spectrum, YaRN "
            "and Llama 3 slow only pairs that hardly turned in training. The table counts pairs: "
            "no turn, those that finish none within the target; unseen, those that then meet "
            "angles that training never showed. Below: the block for config.json.",
        .what_to_try =
            "Click a method in the table. Double the target: NTK's base grows, YaRN's ramp stays "
            "where it is. Watch the column unseen: without a scaling it counts every pair that "
            "finished no turn in training.",
        .formulas = {"s = target / trained", "linear: θ_{i} / s", "NTK: base s^{d/(d−2)}",
                     "YaRN: θ_{i} (1 − r_{i} + r_{i}/s)"},
        .formula_source = "arXiv:2306.15595; arXiv:2309.00071, sections 3.1–3.4",
    };
}

}  // namespace ropescope::figures
