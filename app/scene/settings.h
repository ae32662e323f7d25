// Parameters set by text: --set name=value and the fields of the window.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/scene/scene.h"

namespace ropescope {

/// The scene with one value replaced. Throws InputError naming the parameter (or near matches), the
/// text and the expected form or range. Does not check values against each other: rope_spec() does.
Scene set_parameter(Scene scene, std::string_view name, std::string_view text);

/// Applies "name=value" strings in order; "model=..." (a preset's id, or the path of a config.json
/// or of its folder) is loaded first, wherever it stands. What follows from a value: see
/// assignments.h.
Scene apply_settings(Scene scene, const std::vector<std::string>& settings);

}  // namespace ropescope
