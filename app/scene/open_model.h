// What the model of a scene is: the one rule that tells presets from paths.
#pragma once

#include <string>

#include "core/formats/inspection.h"

namespace ropescope {

/// The preset of that id (its model alone, no files), or else what the path holds: a config.json,
/// tensors or a folder of both. Throws InputError if there is neither, naming near matches for a
/// name that is no path, and for files that cannot be read.
Inspection open_model(const std::string& name);

}  // namespace ropescope
