// Models of diffusers by their class. Source: diffusers_classes.cpp.
#pragma once

#include <optional>
#include <string>

#include "core/formats/config_object.h"
#include "core/schemes/part.h"

namespace ropescope {

/// By the row of the class in assets/families.json, or, inferred, by keys that share a head among
/// axes; empty if there is neither. Throws InputError with the reason for a class that is known to
/// have no frequencies in its file.
std::optional<Part> diffusers_class(const ConfigObject& config, const std::string& class_name);

}  // namespace ropescope
