// Puts the model view together: its words, its panels and the values under the cursor.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <memory>
#include <set>

#include "app/figures/model/model.h"
#include "app/figures/shared/describe.h"
#include "app/figures/shared/text.h"
#include "app/plot/number_text.h"
#include "app/plot/pick.h"
#include "core/base/characters.h"

namespace ropescope::figures {

using plot::Role;

namespace {

/// The wavelengths of every type of layer.
plot::Panel spectrum_panel(const ModelState& state) {
    const ModelConfig& model = *state.model();
    const double context = to_double(model.max_positions);
    plot::Panel panel{
        .id = "spectrum",
        .x = {.label = "pair", .min = -0.75, .integers = true},
        .y = {.label = "wavelength (positions per turn)", .scale = plot::AxisScale::log10}};
    constexpr Role kRoles[] = {Role::first, Role::second, Role::third, Role::text};
    constexpr plot::Dash kDashes[] = {plot::Dash::none, plot::Dash::dashed, plot::Dash::dotted,
                                      plot::Dash::dash_dot};
    double lowest = 6, highest = std::max(10.0, context);
    for (Index i = 0; i < std::ssize(state.layers); ++i) {
        const auto& [layer, spectrum] = state.layers[i];
        plot::Points points{.points = {}, .role = kRoles[i % std::ssize(kRoles)]};
        for (Index pair = 0; pair < spectrum.pairs(); ++pair) {
            const double wavelength = spectrum.wavelength_positions(pair);
            if (std::isfinite(wavelength)) {
                points.points.push_back({to_double(pair), wavelength});
                lowest = std::min(lowest, wavelength);
                highest = std::max(highest, wavelength);
            }
        }
        panel.x.max = std::max(panel.x.max, to_double(spectrum.pairs()) - 0.25);
        if (state.layers.size() > 1) {
            panel.marks.emplace_back(plot::Line{.points = points.points,
                                                .role = points.role,
                                                .width = 0.6,
                                                .dash = kDashes[i % std::ssize(kDashes)],
                                                .label = printable(layer.layer_type)});
        }
        panel.marks.emplace_back(std::move(points));
    }
    if (model.max_positions > 0) {
        panel.marks.emplace_back(
            plot::Rule{.vertical = false,
                       .at = context,
                       .label = plot::say("context {}", whole_text(model.max_positions))});
    }
    panel.y.min = lowest / 1.6;
    panel.y.max = highest * 1.6;
    return panel;
}

/// Names and texts side by side in a panel without axes, row n at y = -n, as many as `lines`.
plot::Panel rows_panel(const std::string& id, const Rows& rows, Index lines) {
    constexpr double kValues = 0.26;  // where they begin
    plot::Panel panel{.id = id,
                      .x = {.min = 0, .max = 1, .visible = false},
                      .y = {.min = 0.4 - to_double(lines), .max = 0.6, .visible = false}};
    for (Index line = 0; line < std::min<Index>(lines, std::ssize(rows)); ++line) {
        const plot::Readout& row = rows[line];
        const double y = -to_double(line);
        panel.rows.push_back({.first = y - 0.5, .last = y + 0.5});
        panel.marks.emplace_back(
            plot::Label{.at = {0.0075, y}, .text = row.name, .role = Role::dim, .anchor_y = 0.5});
        panel.marks.emplace_back(plot::Label{.at = {kValues, y},
                                             .text = row.value,
                                             .anchor_y = 0.5,
                                             .mono = true,
                                             .width = 0.9925 - kValues,
                                             .smallest = 0.8});
    }
    return panel;
}

Index different_spectra(const ModelState& state) {
    std::set<std::vector<double>> spectra;
    for (const LayerSpectrum& layer : state.layers) {
        spectra.insert(layer.spectrum.inv_freq_rad);
    }
    return std::ssize(spectra);
}

plot::Text title(const ModelState& state) {
    if (!state.error.empty()) {
        return plot::say("No model is open");
    }
    if (!state.model()) {
        return plot::say("{} without a config.json",
                         counted(std::ssize(state.tensors()), "tensor"));
    }
    const ModelConfig& model = *state.model();
    if (model.confidence == Confidence::inferred) {
        return plot::say("{}: inferred from the names of its keys, not known", model.title);
    }
    if (state.layers.size() > 1) {
        const Index spectra = different_spectra(state);
        return plot::say("{}: {} types of layers {} {}", model.title, state.layers.size(),
                         agreeing(spectra, "share", "have"),
                         counted(spectra, "spectrum", "spectra"));
    }
    double slowest = 0;
    for (Index pair = 0; pair < state.spectrum.pairs(); ++pair) {
        slowest = std::max(slowest, state.spectrum.wavelength_positions(pair));
    }
    return std::isfinite(slowest)
               ? plot::say("{}: the slowest pair needs {} positions for one turn", model.title,
                           plot::number_text(slowest))
               : plot::say("{}: some pairs never turn", model.title);
}

plot::Text subtitle(const ModelState& state) {
    if (!state.error.empty()) {
        return plot::say("{}", state.error);
    }
    plot::Text text;
    if (state.model()) {
        const ModelConfig& model = *state.model();
        text = plot::say("{}, {}, {}, {}.",
                         model.model_type.empty() ? "no model_type" : printable(model.model_type),
                         counted(model.n_layers, "layer"), counted(model.n_heads, "head"),
                         model.max_positions > 0
                             ? plot::say("context {}", whole_text(model.max_positions))
                             : plot::say("context not stated"));
    }
    for (const TensorFile& file : state.found.files) {
        text += (text.empty() ? "" : " ") +
                plot::say("{}: {} numbers in {}.",
                          printable(std::filesystem::path(file.path).filename().string(), 40),
                          whole_text(file.count()), counted(std::ssize(file.tensors), "tensor"));
    }
    return text;
}

/// Without panels.
plot::Figure figure(const ModelState& state) {
    plot::Figure figure;
    figure.view = "model";
    figure.title = title(state);
    figure.subtitle = subtitle(state);
    figure.column_weights = {1.0};
    figure.data = model_data(state);
    figure.report = model_report(figure, state);
    return figure;
}

/// The fact in the line under the cursor.
Rows row_at(const Rows& rows, plot::Point at) {
    if (rows.empty() || !std::isfinite(at.y)) {
        return {};
    }
    return {rows[plot::pick_index(-at.y, std::ssize(rows))]};
}

std::vector<plot::Readout> pair_readouts(const ModelState& state, plot::Point at) {
    if (!std::isfinite(at.x)) {
        return {};
    }
    const RopeSpec& rope = state.model()->rope;
    return describe_pair(rope, state.spectrum, plot::pick_index(at.x, rope.pairs()));
}

/// The next row of the figure.
void add_panel(Picture& picture, plot::Panel panel, double weight, Answers answers) {
    panel.row = narrow<int>(std::ssize(picture.figure.panels));
    picture.figure.row_weights.push_back(weight);
    picture.add(std::move(panel), std::move(answers));
}

void add_rows(Picture& picture, const char* id, const std::shared_ptr<const ModelState>& state,
              Rows ModelState::*rows_of) {
    constexpr Index kLeastLines = 3, kMostLines = 9;
    constexpr double kLineWeight = 0.07;  // of a line of text; the spectrum's panel has 1
    const Rows& rows = (*state).*rows_of;
    const Index lines = std::clamp<Index>(std::ssize(rows), kLeastLines, kMostLines);
    add_panel(picture, rows_panel(id, rows, lines), kLineWeight * to_double(lines + 1),
              {state, [rows_of](const ModelState& of, plot::Point at) {
                   return row_at(of.*rows_of, at);
               }});
}

Picture make(const Scene& scene, Engine&, const Work&) {
    const auto state = std::make_shared<const ModelState>(make_model_state(scene));
    Picture picture{.figure = figure(*state)};
    if (state->model()) {
        add_panel(picture, spectrum_panel(*state), 1.0, {state, pair_readouts});
    }
    if (state->model() || state->tensor_rows.empty()) {
        add_rows(picture, "facts", state, &ModelState::encoding_rows);
    }
    if (!state->tensor_rows.empty()) {
        add_rows(picture, "tensors", state, &ModelState::tensor_rows);
    }
    return picture;
}

}  // namespace

View model_view() {
    return {
        .id = "model",
        .key = '0',
        .name = "Model",
        .group = "Real models",
        .question = "What does my model do?",
        .parameters = {"model", "seq_len"},
        .make = make,
        .what_you_see =
            "The model as its config.json describes it: the wavelength of every pair beside its "
            "context, for each type of layer if layers differ; its scaling; what was assumed; and "
            "the tensors of a checkpoint, the largest first.",
        .what_to_try =
            "Choose Gemma 3 or ModernBERT at the top: their local layers turn faster. Open a "
            "folder with a config.json and .safetensors files, or a .npz of your own. The text "
            "export lists every tensor.",
        .formulas = {"λ_{i} = 2π / θ_{i}", "cos and sin × attention factor"},
        .formula_source = "the model's own config.json; families in assets/families.json",
    };
}

}  // namespace ropescope::figures
