// The panels of the rotation view: a plane a pair, and the score against distance.
#pragma once

#include <vector>

#include "app/figures/rotation/state.h"

namespace ropescope::figures {

/// One square panel "pair.<i>" a shown pair, in reading order on `columns` columns.
std::vector<plot::Panel> pair_panels(const RotationState& state, const Trails& trails, int columns);

/// The wide panel "score".
plot::Panel score_panel(const RotationState& state);

/// How many panels stand side by side so that `count` squares are largest on an area twice as wide
/// as high.
int grid_columns(int count);

}  // namespace ropescope::figures
