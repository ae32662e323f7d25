// What the model view says about a model in rows of name and text.
#pragma once

#include <string>
#include <vector>

#include "app/plot/figure.h"
#include "core/formats/model_config.h"
#include "core/formats/tensor.h"
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

}  // namespace ropescope::figures
