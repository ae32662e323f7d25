// The config.json that somebody names: of a published model, or in a file.
#pragma once

#include <string>

#include "core/formats/config_text.h"

namespace ropescope {

/// Of a published model, in one axis or in several, or at a path. Throws InputError if there is
/// neither, with the name that comes near.
ConfigText config_of_model(const std::string& name_or_path);

}  // namespace ropescope
