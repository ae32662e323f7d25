// Scenes of tests: one value changed and nothing after it, and the file that describes a scene.
#pragma once

#include <string>
#include <string_view>

#include "app/scene/scene.h"

namespace ropescope::test {

/// The scene with this value alone replaced, whatever should follow from it. Throws InputError for
/// text that --set refuses.
Scene with_one_value(Scene scene, std::string_view parameter, std::string_view text);

/// A scene file that holds only what leads from the default to this scene
/// (assignments_to).
std::string scene_file(const Scene& scene);

}  // namespace ropescope::test
