// What the model view computes: what the scene's model holds, and the spectrum of its layers.
#pragma once

#include <string>
#include <vector>

#include "app/figures/model/rows.h"
#include "app/scene/scene.h"
#include "core/models/model.h"
#include "core/rope/spectrum.h"

namespace ropescope::figures {

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

}  // namespace ropescope::figures
