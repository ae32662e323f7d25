// The opened head's map in the memory of the engine that draws it.
#pragma once

#include "app/figures/attention/maps.h"
#include "app/plot/figure.h"

namespace ropescope::figures {

/// The whole map as the engine computes and keeps it. Empty if the engine cannot be drawn from, or
/// if not every query is known.
plot::LiveCells live_map(const AttentionState& state, const Scene& scene, Engine& engine);

}  // namespace ropescope::figures
