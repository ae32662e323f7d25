// The grid of patches of a scene, and what must lie inside it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/scene/scene.h"
#include "core/models/model.h"
#include "core/positions/grid_rule.h"
#include "core/positions/layout_ids.h"

namespace ropescope {

/// The largest sides of a grid, and the most patches of all its frames together.
inline constexpr Index kLongestSide = 256;
inline constexpr Index kMostPatches = 1 << 16;

/// The scene's axes_grid. Throws InputError if it is not a grid, or larger than the limits above.
PatchGrid patch_grid(const Scene& scene);

/// The last frame, row or column that the parameter of this name can point to; empty if it points
/// to none, or if the scene's grid is not one.
std::optional<Index> last_of_grid(const Scene& scene, std::string_view parameter);

/// The scene with its patches moved to the edge of the grid if they lie outside. Parameters that
/// are named in `changed` keep their values.
Scene with_patches_inside(Scene scene, const std::vector<std::string_view>& changed = {});

/// Throws InputError, which names the parameter, unless all patches lie inside the grid.
void require_patches_inside(const Scene& scene);

// The layout of a scene's positions, and how its tokens are numbered.

/// The plan of the scene's layout, family and version. Throws InputError that begins with
/// positions_layout if the layout cannot be read or counted.
IdPlan id_plan(const Scene& scene);

/// The version that the scene calls "transformers_4" or "transformers_5".
PositionVersion position_version(std::string_view name);

// Models that turn in several axes among those that a user opens.

/// The scene's model with its tensors. Throws InputError if there is none, and for one that has no
/// language model, with a word on the view that shows it.
Model open_scene_model(const std::string& name);

/// Whether the published model of that name, or the model of the file or folder at that path, has a
/// part that turns in several axes. False if nothing can be read there.
bool turns_in_several_axes(const std::string& name);

/// Whether the scene's model turns in several axes and is known to the axes view, as it is when it
/// has been opened: then the views of one axis show how it turns text.
bool shows_text_alone(const Scene& scene);

}  // namespace ropescope
