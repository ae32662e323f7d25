#include "app/figures/model/view.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "app/figures/describe.h"
#include "app/figures/text.h"
#include "app/plot/layout.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/formats/inspection.h"
#include "core/formats/model_presets.h"
#include "core/rope/spectrum.h"

namespace ropescope::figures {
namespace {

using plot::Role;
using Facts = std::vector<plot::Readout>;

/// What scene.model names: a preset, or what its path holds.
struct Opened {
    Inspection found;
    std::string error;  ///< why nothing could be opened

    std::vector<const TensorInfo*> tensors() const {
        std::vector<const TensorInfo*> all;
        for (const TensorFile& file : found.files) {
            for (const TensorInfo& tensor : file.tensors) {
                all.push_back(&tensor);
            }
        }
        return all;
    }
    std::int64_t tensor_count() const { return static_cast<std::int64_t>(tensors().size()); }
};

/// The model at the scene's length, or at its whole context, which is what the figure speaks of.
ModelConfig at_length(ModelConfig model, std::int64_t seq_len) {
    const std::int64_t positions = seq_len > 0 ? seq_len : model.max_positions;
    model.rope = at_context(model.rope, positions);
    for (LayerRope& layer : model.layer_ropes) {
        layer.rope = at_context(layer.rope, positions);
    }
    return model;
}

Opened open(const Scene& scene) {
    const auto& presets = model_presets();
    const auto preset = std::ranges::find(presets, scene.model, &ModelConfig::id);
    if (preset != presets.end()) {
        return {{at_length(*preset, scene.seq_len), {}}, ""};
    }
    try {
        Inspection found = inspect(scene.model);
        if (found.model) {
            found.model = at_length(*std::move(found.model), scene.seq_len);
        }
        return {std::move(found), ""};
    } catch (const InputError& error) {
        return {{}, error.what()};
    }
}

/// One encoding a type of layer.
std::vector<LayerRope> layers_of(const ModelConfig& model) {
    if (model.layer_ropes.empty()) {
        return {{"all layers", model.n_layers, model.rope}};
    }
    return model.layer_ropes;
}

std::string title(const Opened& opened) {
    if (!opened.error.empty()) {
        return "No model is open";
    }
    if (!opened.found.model) {
        return counted(opened.tensor_count(), "tensor") + " without a config.json";
    }
    const ModelConfig& model = *opened.found.model;
    if (model.layer_ropes.size() > 1) {
        return fmt::format("{}: {} types of layers, each with a spectrum of its own", model.title,
                           model.layer_ropes.size());
    }
    const double slowest = make_spectrum(model.rope).wavelength_positions(model.rope.pairs() - 1);
    return std::isfinite(slowest) ? fmt::format("{}: the slowest pair takes {} positions a turn",
                                                model.title, plot::number_text(slowest))
                                  : fmt::format("{}: some pairs never turn", model.title);
}

std::string subtitle(const Opened& opened) {
    if (!opened.error.empty()) {
        return opened.error;
    }
    std::string text;
    if (opened.found.model) {
        const ModelConfig& model = *opened.found.model;
        text =
            fmt::format("{}, {}, {}, context {}.",
                        model.model_type.empty() ? "no model_type" : printable(model.model_type),
                        counted(model.n_layers, "layer"), counted(model.n_heads, "head"),
                        model.max_positions > 0 ? whole_text(model.max_positions) : "not stated");
    }
    for (const TensorFile& file : opened.found.files) {
        text += fmt::format("{}{}: {} numbers in {}.", text.empty() ? "" : " ",
                            printable(std::filesystem::path(file.path).filename().string(), 40),
                            whole_text(file.count()),
                            counted(static_cast<std::int64_t>(file.tensors.size()), "tensor"));
    }
    return text;
}

/// Wavelengths of every type of layer.
plot::Panel spectrum_panel(const ModelConfig& model) {
    plot::Panel panel{
        .id = "spectrum",
        .x = {.label = "pair", .min = -0.75, .integers = true},
        .y = {.label = "wavelength (positions per turn)", .scale = plot::AxisScale::log10}};
    constexpr Role kRoles[] = {Role::query, Role::key, Role::cos_part, Role::sin_part};
    const std::vector<LayerRope> layers = layers_of(model);
    double lowest = 6, highest = std::max(10.0, static_cast<double>(model.max_positions));
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const Spectrum spectrum = make_spectrum(layers[i].rope);
        plot::Points points{.points = {}, .role = kRoles[i % std::size(kRoles)]};
        for (int pair = 0; pair < spectrum.pairs(); ++pair) {
            const double wavelength = spectrum.wavelength_positions(pair);
            if (std::isfinite(wavelength)) {
                points.points.push_back({static_cast<double>(pair), wavelength});
                lowest = std::min(lowest, wavelength);
                highest = std::max(highest, wavelength);
            }
        }
        panel.x.max = std::max(panel.x.max, spectrum.pairs() - 0.25);
        if (layers.size() > 1) {
            panel.marks.emplace_back(plot::Line{.points = points.points,
                                                .role = points.role,
                                                .width = 0.6,
                                                .label = printable(layers[i].layer_type)});
        }
        panel.marks.emplace_back(std::move(points));
    }
    if (model.max_positions > 0) {
        panel.marks.emplace_back(plot::Rule{.vertical = false,
                                            .at = static_cast<double>(model.max_positions),
                                            .label = "context " + whole_text(model.max_positions)});
    }
    panel.y.min = lowest / 1.6;
    panel.y.max = highest * 1.6;
    return panel;
}

/// Names and values side by side in a panel without axes, line n at y = -n.
plot::Panel facts_panel(const std::string& id, const Facts& facts, int lines) {
    constexpr double kValues = 0.26;  // where they begin
    plot::Panel panel{.id = id,
                      .x = {.min = 0, .max = 1, .visible = false},
                      .y = {.min = 0.4 - lines, .max = 0.6, .visible = false}};
    for (int line = 0; line < std::min(lines, static_cast<int>(facts.size())); ++line) {
        const plot::Readout& fact = facts[static_cast<std::size_t>(line)];
        const auto y = -static_cast<double>(line);
        panel.marks.emplace_back(
            plot::Label{.at = {0.0075, y}, .text = fact.name, .role = Role::dim, .anchor_y = 0.5});
        panel.marks.emplace_back(plot::Label{.at = {kValues, y},
                                             .text = fact.value,
                                             .anchor_y = 0.5,
                                             .mono = true,
                                             .width = 0.9925 - kValues,
                                             .smallest = 0.8});
    }
    return panel;
}

std::string short_scaling(const RopeSpec& rope) {
    std::string text(scaling_type(rope.scaling));
    if (extension_factor(rope.scaling) != 1.0) {
        text += " × " + plot::number_text(extension_factor(rope.scaling));
    }
    if (const auto original = original_positions(rope.scaling)) {
        text += " from " + whole_text(*original);
    }
    if (depends_on_seq_len(rope.scaling)) {
        text += ", at seq_len " + whole_text(rope.seq_len);
    }
    return text;
}

void add_rope_facts(Facts& facts, const LayerRope& layer, bool named) {
    const Spectrum spectrum = make_spectrum(layer.rope);
    if (named) {
        facts.push_back(
            {printable(layer.layer_type), layer.layers > 0 ? counted(layer.layers, "layer") : ""});
    }
    facts.push_back({"rotated", fmt::format("{} of {} channels, {}", layer.rope.rotary_dim,
                                            layer.rope.head_dim, to_string(layer.rope.layout))});
    facts.push_back(
        {"base, scaling", fmt::format("{}, {}", plot::exact_number_text(layer.rope.base),
                                      short_scaling(layer.rope))});
    std::string factor = plot::number_text(spectrum.attention_factor);
    if (spectrum.softmax_scale_factor != 1.0) {
        factor += ", softmax scale × " + plot::number_text(spectrum.softmax_scale_factor);
    }
    facts.push_back({"attention factor", factor});
}

Facts model_facts(const ModelConfig& model) {
    Facts facts;
    const std::vector<LayerRope> layers = layers_of(model);
    for (const LayerRope& layer : layers) {
        add_rope_facts(facts, layer, layers.size() > 1);
    }
    for (const std::string& assumption : model.assumptions) {
        facts.push_back({"assumed", assumption});
    }
    return facts;
}

std::string tensor_text(const TensorInfo& tensor) {
    return fmt::format("{} {}", to_string(tensor.dtype), shape_text(tensor.shape));
}

/// The largest tensors first; a picture has room for few.
Facts tensor_facts(const Opened& opened) {
    std::vector<const TensorInfo*> tensors = opened.tensors();
    std::ranges::stable_sort(tensors, std::greater<>(), &TensorInfo::bytes);
    Facts facts;
    for (const TensorInfo* tensor : tensors) {
        facts.push_back({printable(tensor->name, 48), tensor_text(*tensor)});
    }
    return facts;
}

plot::DataTable data(const Opened& opened) {
    std::vector<std::string> what, name, value;
    const auto add = [&](const char* kind, const std::string& key, const std::string& text) {
        what.emplace_back(kind);
        name.push_back(key);
        value.push_back(text);
    };
    if (opened.found.model) {
        for (const LayerRope& layer : layers_of(*opened.found.model)) {
            const Spectrum spectrum = make_spectrum(layer.rope);
            for (int pair = 0; pair < spectrum.pairs(); ++pair) {
                add("inv_freq_rad", fmt::format("{} {}", layer.layer_type, pair),
                    fmt::format("{:.17g}", spectrum.inv_freq_rad[static_cast<std::size_t>(pair)]));
            }
        }
    }
    for (const TensorInfo* tensor : opened.tensors()) {
        add("tensor", tensor->name, tensor_text(*tensor));
    }
    return {{{"what", what}, {"name", name}, {"value", value}}};
}

std::string report(const plot::Figure& figure, const Opened& opened) {
    std::string text = figure.title + "\n" + figure.subtitle + "\n\n";
    if (opened.found.model) {
        const ModelConfig& model = *opened.found.model;
        for (const LayerRope& layer : layers_of(model)) {
            text +=
                fmt::format("{}: {}\n", printable(layer.layer_type), describe_encoding(layer.rope));
        }
        for (const std::string& assumption : model.assumptions) {
            text += "assumed: " + assumption + "\n";
        }
        text += model.source.empty() ? "" : "source: " + model.source + "\n";
    }
    std::vector<std::vector<std::string>> rows;
    for (const TensorInfo* tensor : opened.tensors()) {
        rows.push_back({printable(tensor->name), std::string(to_string(tensor->dtype)),
                        shape_text(tensor->shape), fmt::format("{}", tensor->bytes)});
    }
    return rows.empty() ? text
                        : text + "\n" + text_table({"tensor", "dtype", "shape", "bytes"}, rows);
}

Facts facts_of(const Opened& opened, const Scene& scene) {
    return opened.found.model ? model_facts(*opened.found.model)
                              : Facts{{"model", printable(scene.model, 80)}};
}

plot::Figure figure(const Scene& scene, Engine&, const Work&) {
    constexpr int kLeastLines = 3, kMostLines = 9;
    constexpr double kLineWeight = 0.07;  // of a line of text, the spectrum's panel being 1
    const Opened opened = open(scene);
    plot::Figure figure;
    figure.view = "model";
    figure.title = title(opened);
    figure.subtitle = subtitle(opened);
    const auto add = [&](plot::Panel panel, double weight) {
        panel.row = static_cast<int>(figure.panels.size());
        figure.panels.push_back(std::move(panel));
        figure.row_weights.push_back(weight);
    };
    const auto add_facts = [&](const char* id, const Facts& facts) {
        const int lines = std::clamp(static_cast<int>(facts.size()), kLeastLines, kMostLines);
        add(facts_panel(id, facts, lines), kLineWeight * (lines + 1));
    };
    if (opened.found.model) {
        add(spectrum_panel(*opened.found.model), 1.0);
        add_facts("facts", facts_of(opened, scene));
    }
    if (opened.tensor_count() > 0) {
        add_facts("tensors", tensor_facts(opened));
    }
    if (figure.panels.empty()) {
        add_facts("facts", facts_of(opened, scene));
    }
    figure.column_weights = {1.0};
    figure.data = data(opened);
    figure.report = report(figure, opened);
    return figure;
}

/// The fact in the line under the cursor.
Facts fact_at(const Facts& facts, plot::Point at) {
    if (facts.empty() || !std::isfinite(at.y)) {
        return {};
    }
    const double last = static_cast<double>(facts.size()) - 1;
    return {facts[static_cast<std::size_t>(std::clamp(std::round(-at.y), 0.0, last))]};
}

std::vector<plot::Readout> readouts(const Scene& scene, std::string_view panel, plot::Point at) {
    const Opened opened = open(scene);
    if (panel == "facts" || panel == "tensors") {
        return fact_at(panel == "tensors" ? tensor_facts(opened) : facts_of(opened, scene), at);
    }
    if (panel != "spectrum" || !opened.found.model || !std::isfinite(at.x)) {
        return {};
    }
    const RopeSpec& rope = opened.found.model->rope;
    const int pair = static_cast<int>(std::clamp(std::round(at.x), 0.0, rope.pairs() - 1.0));
    return describe_pair(rope, make_spectrum(rope), pair);
}

Scene clicked(const Scene& scene, std::string_view, plot::Point) {
    return scene;
}

}  // namespace

View model_view() {
    return {
        .id = "model",
        .name = "Model",
        .group = "Real models",
        .question = "What does my model do?",
        .parameters = {"model", "seq_len"},
        .figure = figure,
        .readouts = readouts,
        .clicked = clicked,
        .what_you_see =
            "The model as its config.json describes it: the wavelength of every pair against its "
            "context, for each type of layer where layers differ; its scaling; what was assumed; "
            "and the tensors of a checkpoint, the largest first.",
        .what_to_try =
            "Choose Gemma 3 or ModernBERT at the top: their local layers turn faster. Open a "
            "folder with a config.json and .safetensors files, or a .npz of your own. The text "
            "export lists every tensor.",
        .formulas = {"λ_{i} = 2π / θ_{i}", "cos and sin × attention factor"},
        .formula_source = "the model's own config.json; families in assets/model_families.md",
    };
}

}  // namespace ropescope::figures
