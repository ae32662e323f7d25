// The grid of patches of a scene, and what must lie inside it.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "app/scene/scene.h"
#include "core/positions/grid_rule.h"

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

}  // namespace ropescope
