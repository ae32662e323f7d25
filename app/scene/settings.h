// Parameters set by text: --set name=value, scene files and the fields of the window.
#pragma once

#include <string>
#include <vector>

#include "app/scene/scene.h"
#include "app/scene/values.h"

namespace ropescope {

/// Applies "name=value" strings in order; "model=..." (a preset's id, or the path of a config.json
/// or of its folder) is loaded first, wherever it stands in the list. Other parameters follow as in
/// with_assignments(). Throws InputError naming the parameter (or near matches), the text and the
/// expected form or range. Does not check values against each other: rope_spec() does.
Scene apply_settings(Scene scene, const std::vector<std::string>& settings);

struct Assignment {
    const Parameter* parameter = nullptr;
    Value value;       ///< of the parameter's type
    std::string text;  ///< as it was given, for messages
};

/// Opens the model first, wherever it stands in the list, then sets the values in their order, and
/// lets the other parameters follow (with_followers()). Throws InputError naming the parameter.
Scene with_assignments(Scene scene, const std::vector<Assignment>& assignments);

/// Throws InputError, which names the parameter, if the scene's grid of patches or its layout of
/// tokens cannot be read or counted, and one of the assignments concerns it.
void require_readable(const Scene& scene, const std::vector<Assignment>& assignments);

/// The fewest assignments that lead from the default scene to this one. If the model can no longer
/// be opened, the list still names it, together with every other difference.
std::vector<Assignment> assignments_to(const Scene& scene);

}  // namespace ropescope
