// What `ropescope positions --check` reads of a file, judged.
#pragma once

#include <string>

#include "app/cli/positions_input.h"
#include "core/positions/position_check.h"

namespace ropescope::cli {

/// Judges the ids or positions of a file next to the right ones. Throws InputError that names the
/// file for positions of another shape, for ids that are not whole, and for numbers that are not
/// finite.
PositionVerdict judge_given(const PlacedLayout& placed, const LayoutPositions& right,
                            const std::string& path, const std::string& order);

}  // namespace ropescope::cli
