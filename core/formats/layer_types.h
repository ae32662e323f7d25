// Which type of attention each layer of a model has.
#pragma once

#include <string>
#include <vector>

#include "core/formats/model_reader.h"

namespace ropescope {

/// The type of each of the first `layers` layers ("full_attention"), in their order: as layer_types
/// or the family's own list says, else by the family's period; named by their bases where layers of
/// one type have several. As long as the list if `layers` is
/// 0; empty if neither tells.
std::vector<std::string> types_of_layers(const ModelReader& file, int layers);

/// Whether layers of this type turn nothing, in this file: by the family, or for a null in
/// rope_parameters.
bool is_still(const ModelReader& file, const std::string& type);

/// Whether this layer turns although its type does not: Cohere 2 MoE's dense layers.
bool turns_for_being_dense(const ModelReader& file, int layer);

}  // namespace ropescope
