// Paths of keys in a config.json: "rope_parameters.rope_theta".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/formats/config_object.h"

namespace ropescope::runtimes {

/// The key at the end of the path.
std::string leaf_of(std::string_view path);

/// The object in which that key would stand; empty if an object on the way is missing. Throws
/// InputError if something on the way is not an object.
std::optional<ConfigObject> parent_of(const ConfigObject& config, std::string_view path);

/// Whether an object of rotary parameters has one of its own for a type of layer.
bool is_by_layer(const nlohmann::json& object);

}  // namespace ropescope::runtimes
