// The transformers of a file: its language model, and those in objects of their own beside it, as
// codecs, encoders and decoders of depth are.
#pragma once

#include <vector>

#include "core/formats/config_object.h"
#include "core/formats/model_config.h"
#include "core/models/model.h"

namespace ropescope {

/// One part for each type of layer that turns in its own way, the one that the model calls its own
/// first.
std::vector<Part> parts_of_text(const ModelConfig& model);

/// Adds the parts of the transformers beside the language model: every object of the file whose
/// model_type, or that which assets/families.json has for it under `transformers`, is a known one.
/// A part is called as the key is, without "_config". One that cannot be read is an assumption of
/// the first part.
void append_other_transformers(const ConfigObject& config, Model& model);

}  // namespace ropescope
