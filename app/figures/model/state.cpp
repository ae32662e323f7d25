// Opens the scene's model and computes the spectrum of its layers.
#include "app/figures/model/state.h"

#include <algorithm>

#include "app/figures/describe.h"
#include "app/figures/model/parts.h"
#include "app/scene/several_axes.h"
#include "core/base/error.h"
#include "core/base/index.h"
#include "core/base/printable.h"

namespace ropescope::figures {
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

}  // namespace ropescope::figures
