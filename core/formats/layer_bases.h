// The base of each layer, in files that list them: one mechanism for every family.
#pragma once

#include <string>
#include <vector>

#include "core/formats/model_reader.h"

namespace ropescope {

/// The base of each layer in a file that lists them, 0 for a layer without position embedding;
/// empty if the file has no such list. Throws InputError if an entry is no base.
std::vector<double> bases_by_layer(const ModelReader& file);

/// The bases of a list that give layers their speed: empty where the list only says which layers
/// turn, too.
std::vector<double> speeds_by_layer(const ModelReader& file);

/// The bases above 0, each once, in rising order.
std::vector<double> different_bases(std::vector<double> bases);

/// The types of layers; where layers of one type have different bases, "base_10000" in their place.
std::vector<std::string> types_told_apart(std::vector<std::string> types,
                                          const std::vector<double>& bases);

}  // namespace ropescope
