// The scene file: {"ropescope_scene": 1, "base": 500000.0, ...}.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "app/scene/scene.h"

namespace ropescope {

/// Version of the scene file, the value of its key "ropescope_scene".
inline constexpr int kSceneVersion = 1;

/// The most bytes of a scene file that are read; those that ropescope writes have some thousands.
inline constexpr std::size_t kMostSceneBytes = std::size_t{1} << 20;

/// Opens the model first. Throws InputError for text that is not JSON, for unknown keys (naming
/// near matches) and keys given twice, for a model that does not exist, and for values of the wrong
/// type or out of range; the message begins with `origin`, the name of the file.
Scene scene_from_json(std::string_view json, const std::string& origin);

/// The scene as such a file: what leads from the default scene to it (assignments_to()).
std::string scene_to_json(const Scene& scene);

}  // namespace ropescope
