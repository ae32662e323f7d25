// Reads a file of no known family by the names of its keys.
#pragma once

#include <string>
#include <vector>

#include "core/formats/config_object.h"
#include "core/formats/model_family.h"

namespace ropescope {

struct InferredFamily {
    /// Without a type; its keys are those of the file. Its layers are one for each base if the file
    /// has several.
    ModelFamily family;
    std::string inference;  ///< what was inferred from which key, in words
};

/// Throws InputError if no key is about RoPE, if one says that the model has none, or if one is of
/// a model that turns in several axes. Names of keys point into `config`.
InferredFamily inferred_family(const ConfigObject& config, const std::string& model_type);

/// Whether a switch or the type of positions says in so many words that the model has RoPE.
bool states_rope(const ConfigObject& config);

}  // namespace ropescope
