// `ropescope positions --check`: judges somebody's positions.
#pragma once

#include <string>

#include "app/cli/positions_input.h"

namespace ropescope::cli {

/// Reads ids or positions on grids from a .npy, or `position_ids` and perhaps `rope_deltas` from a
/// .safetensors, and prints what is wrong with them. `order` names their axes by letters
/// (positions_input.h). Returns the exit code: 0 if they are right, else 1. Throws InputError for
/// positions of another shape, for ids that are not whole, and for numbers that are not finite.
int check_positions(const PlacedLayout& placed, const std::string& path, const std::string& order,
                    bool json);

}  // namespace ropescope::cli
