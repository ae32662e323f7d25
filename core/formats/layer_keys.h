// Where a config.json keeps the rotary parameters of each type of layer.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/formats/model_reader.h"

namespace ropescope {

/// The rotary parameters of one type of layer.
struct LayerKeys {
    std::string layer_type;     ///< empty if all layers turn alike
    LayerKind kind;             ///< its keys and usual values, with the family's filled in
    nlohmann::json parameters;  ///< rope_parameters and rope_scaling together
    std::string where;          ///< starts messages about them
};

/// One entry if all layers turn alike; else one for each type of layer.
std::vector<LayerKeys> layer_keys(const ModelReader& file);

}  // namespace ropescope
