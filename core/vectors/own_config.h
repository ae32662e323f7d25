// What stands in a case in place of a configuration, if a model has none: frequencies and channels
// of one's own, as `rotate --spec` takes them.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/schemes/part.h"

namespace ropescope::vectors {

/// {"head_dim": .., "pairs": [pairs][2], "omega": [heads][pairs][axes], "axes": [..]}
std::string own_config(const RotaryScheme& scheme);

/// The part that own_config() was made of; empty for other configurations. Throws InputError if the
/// numbers do not fit together.
std::optional<Part> part_of_own_config(const nlohmann::json& config);

}  // namespace ropescope::vectors
