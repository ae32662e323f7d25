// Keys of a config.json that speak of rotation and that nothing has read.
#pragma once

#include <string>
#include <vector>

#include "core/formats/config_object.h"

namespace ropescope {

/// "this key was not read: vision_config.rope_theta 10000", one for each key of the file `whole`
/// whose name speaks of rotary embeddings and whose place is not among `looked_at`, by all readers
/// of the file; many end in "and N more".
std::vector<std::string> unread_rope_keys(const ConfigObject& whole, const LookedAt& looked_at);

}  // namespace ropescope
