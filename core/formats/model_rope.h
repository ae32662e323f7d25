// From the keys of a config.json to RopeSpecs: one for the model, or one for each type of layer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/rope/rope_spec.h"

namespace ropescope {

struct ModelReader;

/// The layers of one attention type, in models that turn them at different speeds.
struct LayerRope {
    std::string layer_type;  ///< "full_attention", "sliding_attention"
    int layers = 0;          ///< how many of the model's layers; 0 if the file does not say
    RopeSpec rope;
};

struct ModelRope {
    RopeSpec rope;                  ///< of the layers with full attention, if layers differ
    std::vector<LayerRope> layers;  ///< empty if all layers turn alike
};

/// What the rotary parameters of a model depend on.
struct ModelSizes {
    int n_heads = 0;
    int n_layers = 0;                ///< 0 if the file does not say
    std::int64_t max_positions = 0;  ///< 0 if the file does not say
};

/// Throws InputError naming the key and the expected form.
ModelRope read_rope(const ModelReader& file, const ModelSizes& sizes);

}  // namespace ropescope
