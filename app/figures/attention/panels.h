// The panels of the attention view: "map", "heads", "distance" and "shift".
#pragma once

#include "app/figures/attention/maps.h"
#include "app/plot/figure.h"

namespace ropescope::figures {

/// `live`: draw the opened head's map from the engine's memory instead of from the state.
plot::Panel map_panel(const AttentionState& state, const Scene& scene,
                      const plot::LiveCells& live = {});
plot::Panel heads_panel(const AttentionState& state, const Scene& scene);
plot::Panel distance_panel(const AttentionState& state, const Scene& scene);
plot::Panel shift_panel(const AttentionState& state, const Scene& scene);

}  // namespace ropescope::figures
