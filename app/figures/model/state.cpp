// Computes the state of the model view.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <span>

#include "app/figures/model/model.h"
#include "app/figures/shared/describe.h"
#include "app/figures/shared/shown_encoding.h"
#include "app/figures/shared/text.h"
#include "app/plot/number_text.h"
#include "app/scene/axes_grid.h"
#include "app/scene/values.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/index.h"
#include "core/scaling/method.h"

namespace ropescope::figures {
namespace {

plot::Text scaling_at_length(const RopeSpec& rope) {
    return scaling_words(rope.scaling) +
           (depends_on_seq_len(rope.scaling)
                ? plot::say(", at seq_len {}", whole_text(rope.seq_len))
                : plot::Text());
}

void add_rope_rows(Rows& rows, const LayerSpectrum& of, bool named) {
    const auto& [layer, spectrum] = of;
    if (named) {
        rows.push_back(
            {printable(layer.layer_type),
             layer.layers > 0 ? plot::say("{}", counted(layer.layers, "layer")) : plot::Text()});
    }
    rows.push_back(
        {"rotated", plot::say("{} of {} channels, {}", layer.rope.rotary_dim, layer.rope.head_dim,
                              spoken(to_string(layer.rope.layout)))});
    rows.push_back({"base, scaling", plot::say("{}, {}", plot::exact_number_text(layer.rope.base),
                                               scaling_at_length(layer.rope))});
    plot::Text factor = plot::say("{}", plot::number_text(spectrum.attention_factor));
    if (spectrum.softmax_scale_factor != 1.0) {
        factor +=
            plot::say(", softmax scale × {}", plot::number_text(spectrum.softmax_scale_factor));
    }
    rows.push_back({"attention factor", factor});
}

}  // namespace

Rows encoding_rows(const std::vector<LayerSpectrum>& layers, const ModelConfig& model) {
    Rows rows;
    std::span<const std::string> assumptions = model.assumptions;
    if (model.confidence == Confidence::inferred) {
        rows.push_back({"inferred", plot::say("{}", assumptions.front())});
        assumptions = assumptions.subspan(1);
    }
    for (const LayerSpectrum& layer : layers) {
        add_rope_rows(rows, layer, layers.size() > 1);
    }
    for (const std::string& assumption : assumptions) {
        rows.push_back({"assumed", plot::say("{}", assumption)});
    }
    return rows;
}

std::string tensor_text(const TensorInfo& tensor) {
    return fmt::format("{} {}", to_string(tensor.dtype), shape_text(tensor.shape));
}

Rows tensor_rows(std::vector<const TensorInfo*> tensors) {
    std::ranges::stable_sort(tensors, std::greater<>(), &TensorInfo::bytes);
    Rows rows;
    for (const TensorInfo* tensor : tensors) {
        rows.push_back({printable(tensor->name, 48), tensor_text(*tensor)});
    }
    return rows;
}

Rows part_rows(const std::vector<Part>& parts) {
    Rows rows;
    for (const Part& part : parts) {
        const RotaryScheme& scheme = part.scheme;
        if (scheme.axes.size() < 2) {
            continue;
        }
        rows.push_back(
            {part.kind + " part",
             plot::say("{} axes, pairs {} (view axes)", scheme.axes.size(),
                       pairs_by_axis(scheme.axes, axes_of_pairs(scheme.heads.front())))});
        rows.push_back({"positions", plot::say("{}", describe_positions(scheme))});
    }
    return rows;
}

namespace {

/// The model at the scene's length, or at its whole context if the scene names none.
ModelConfig at_length(ModelConfig model, Index seq_len) {
    const Index positions = seq_len > 0 ? seq_len : model.max_positions;
    model.rope = at_context(model.rope, positions);
    for (LayerRope& layer : model.layer_ropes) {
        layer.rope = at_context(layer.rope, positions);
    }
    return model;
}

ModelState open(const std::string& name) {
    try {
        return {.name = name, .found = open_scene_model(name), .error = ""};
    } catch (const InputError& refused) {
        return {.name = name, .found = {}, .error = refused.what()};
    }
}

std::vector<LayerSpectrum> layers_of(const ModelConfig& model) {
    std::vector<LayerSpectrum> layers;
    for (const LayerRope& layer : model.layer_ropes) {
        layers.push_back({layer, make_spectrum(layer.rope)});
    }
    if (layers.empty()) {
        layers.push_back({{"all layers", model.n_layers, model.rope}, make_spectrum(model.rope)});
    }
    return layers;
}

}  // namespace

std::vector<const TensorInfo*> ModelState::tensors() const {
    std::vector<const TensorInfo*> all;
    for (const TensorFile& file : found.files) {
        for (const TensorInfo& tensor : file.tensors) {
            all.push_back(&tensor);
        }
    }
    return all;
}

ModelState make_model_state(const Scene& scene) {
    ModelState state = open(scene.model);
    if (state.found.text) {
        state.found.text = at_length(*std::move(state.found.text), scene.seq_len);
        state.layers = layers_of(*state.model());
        state.spectrum = make_spectrum(state.model()->rope);
        state.part_rows = part_rows(state.found.parts);
        state.encoding_rows = encoding_rows(state.layers, *state.model());
        state.encoding_rows.insert(state.encoding_rows.begin(), state.part_rows.begin(),
                                   state.part_rows.end());
    } else {
        state.encoding_rows = {{"model", printable(state.name, 80)}};
    }
    state.tensor_rows = tensor_rows(state.tensors());
    return state;
}

// Writes the model view as text and as CSV.

plot::DataTable model_data(const ModelState& state) {
    std::vector<std::string> what, name, value;
    const auto add = [&](const char* kind, const std::string& key, const std::string& text) {
        what.emplace_back(kind);
        name.push_back(key);
        value.push_back(text);
    };
    for (const auto& [layer, spectrum] : state.layers) {
        for (Index pair = 0; pair < spectrum.pairs(); ++pair) {
            add("inv_freq_rad", fmt::format("{} {}", layer.layer_type, pair),
                fmt::format("{:.17g}", spectrum.inv_freq_rad[pair]));
        }
    }
    for (const TensorInfo* tensor : state.tensors()) {
        add("tensor", tensor->name, tensor_text(*tensor));
    }
    return {{{"what", what}, {"name", name}, {"value", value}}};
}

plot::Text model_report(const plot::Figure& figure, const ModelState& state) {
    plot::Text text = std::string(figure.title) + "\n" + std::string(figure.subtitle) + "\n\n";
    if (const auto& model = state.model()) {
        const bool inferred = model->confidence == Confidence::inferred;
        if (inferred) {
            text += plot::say("inferred, not known: {}\n", model->assumptions.front());
        }
        for (const auto& [name, words] : state.part_rows) {
            text += name + ": " + words + "\n";
        }
        for (const auto& [layer, spectrum] : state.layers) {
            text +=
                plot::say("{}: {}\n", printable(layer.layer_type), describe_encoding(layer.rope));
        }
        for (const std::string& assumption :
             std::span(model->assumptions).subspan(inferred ? 1 : 0)) {
            text += plot::say("assumed: {}\n", assumption);
        }
        text += state.found.source.empty() ? plot::Text()
                                           : plot::say("source: {}\n", state.found.source);
    }
    std::vector<std::vector<std::string>> rows;
    for (const TensorInfo* tensor : state.tensors()) {
        rows.push_back({printable(tensor->name), std::string(to_string(tensor->dtype)),
                        shape_text(tensor->shape), fmt::format("{}", tensor->bytes)});
    }
    return rows.empty() ? text
                        : text + "\n" + text_table({"tensor", "dtype", "shape", "bytes"}, rows);
}

}  // namespace ropescope::figures
