// What of a scene differs from its model's own values, and the way back.
#pragma once

#include <string>
#include <vector>

#include "app/scene/parameters.h"

namespace ropescope::gui {

struct SceneChange {
    const Parameter* parameter = nullptr;
    std::string from, to;  ///< as --set takes them
};

/// The scene's view and model with every other parameter as they bring it.
Scene unchanged_scene(const Scene& scene);
/// Every parameter that differs from unchanged_scene(), in the order of the table.
std::vector<SceneChange> scene_changes(const Scene& scene);
/// "base 500000, was 10000; layout interleaved, was half_split"; empty if nothing differs.
std::string changes_text(const Scene& scene);
/// The value of the parameter in unchanged_scene(), as --set takes it.
std::string default_text(const Scene& scene, const Parameter& parameter);

}  // namespace ropescope::gui
