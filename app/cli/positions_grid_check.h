// `ropescope positions --check` for models that count patches on a grid.
#pragma once

#include <string>

#include "app/cli/positions_input.h"

namespace ropescope::cli {

/// Does for positions on grids what check_positions() does for ids: reads somebody's positions,
/// whole or not, and prints what is wrong with them. Returns the exit code. Throws InputError for
/// positions of another shape, and for numbers that are not finite.
int check_grid_positions(const PlacedLayout& placed, const std::string& path,
                         const std::string& order, bool json);

}  // namespace ropescope::cli
