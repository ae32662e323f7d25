// The model view: what the scene's model holds, and the spectrum of its layers. Sources: state.cpp,
// figure.cpp.
#pragma once

#include <string>
#include <vector>

#include "app/figures/view.h"
#include "app/plot/figure.h"
#include "app/scene/scene.h"
#include "core/base/index.h"
#include "core/formats/model_config.h"
#include "core/formats/tensor.h"
#include "core/models/model.h"
#include "core/rope/spectrum.h"

namespace ropescope::figures {

using Rows = std::vector<plot::Readout>;

/// The layers of one attention type, and their spectrum.
struct LayerSpectrum {
    LayerRope layer;
    Spectrum spectrum;
};

/// What was inferred about the model, if it is not known; the encoding of each type of layer; then
/// what had to be assumed about it.
Rows encoding_rows(const std::vector<LayerSpectrum>& layers, const ModelConfig& model);

/// The tensors, the largest first: a picture has room for few.
Rows tensor_rows(std::vector<const TensorInfo*> tensors);

/// "bf16 [4096, 4096]"
std::string tensor_text(const TensorInfo& tensor);

/// For each part that turns in several axes: its axes with the pairs of each, how positions are
/// made, and the view that draws it. Empty if there is none.
Rows part_rows(const std::vector<Part>& parts);

struct ModelState {
    std::string name;   ///< the scene's: a preset or a path
    Model found;        ///< with the encoding at the scene's length
    std::string error;  ///< why nothing could be opened; empty if something was

    std::vector<LayerSpectrum> layers = {};  ///< one for each type of layer; empty without a config
    Spectrum spectrum = {};                  ///< of the model's rope; empty without a config
    Rows part_rows = {};                     ///< parts that turn in several axes
    Rows encoding_rows = {};                 ///< these, and what there is about the encoding
    Rows tensor_rows = {};                   ///< the largest tensor first

    const std::optional<ModelConfig>& model() const { return found.text; }
    /// Of all files, in their order.
    std::vector<const TensorInfo*> tensors() const;
};
/// Opens the scene's model: reads a config.json and the headers of its tensors. What cannot be read
/// is said in the state's error.
ModelState make_model_state(const Scene& scene);

/// CSV: what ("inv_freq_rad" or "tensor"), name, value.
plot::DataTable model_data(const ModelState& state);

plot::Text model_report(const plot::Figure& figure, const ModelState& state);

View model_view();

}  // namespace ropescope::figures
