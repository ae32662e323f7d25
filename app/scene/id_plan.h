// The layout of a scene's positions, and how its tokens are numbered.
#pragma once

#include "app/scene/scene.h"
#include "core/positions/layout_ids.h"

namespace ropescope {

/// The plan of the scene's layout, family and version. Throws InputError that begins with
/// positions_layout if the layout cannot be read or counted.
IdPlan id_plan(const Scene& scene);

/// The version that the scene calls "transformers_4" or "transformers_5".
PositionVersion position_version(std::string_view name);

}  // namespace ropescope
