// Grids of patches as a person types them.
#pragma once

#include <optional>
#include <string_view>

#include "core/positions/grid_rule.h"

namespace ropescope {

/// "4x6" is 4 rows of 6 columns, "3x4x6" the same in 3 frames. Empty if the text has another form
/// or a side is not a whole number from 1 on.
std::optional<PatchGrid> parse_grid(std::string_view text);

}  // namespace ropescope
