// Which type of attention each layer of a model has.
#pragma once

#include <string>
#include <vector>

#include "core/formats/model_reader.h"

namespace ropescope {

/// The type of each of the first `layers` layers ("full_attention"), in their order: as layer_types
/// or the family's own list says, else by the family's period. As long as the list if `layers` is
/// 0; empty if neither tells.
std::vector<std::string> types_of_layers(const ModelReader& file, int layers);

/// The base of each layer in a family that lists them, 0 for a layer without position embedding;
/// empty if the file has no such list. Throws InputError if an entry is no base.
std::vector<double> bases_by_layer(const ModelReader& file);

/// Whether the family's layers of this type turn nothing, in this file.
bool is_still(const ModelReader& file, const std::string& type);

}  // namespace ropescope
