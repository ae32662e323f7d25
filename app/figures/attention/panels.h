// What the attention view shows of its state: the panels "map", "heads", "distance" and "shift",
// the values under the cursor, and the numbers. Sources: panels.cpp, readouts.cpp, report.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/figures/attention/maps.h"
#include "app/plot/figure.h"

namespace ropescope::figures {

/// `live`: draw the opened head's map from the engine's memory instead of from the state.
plot::Panel map_panel(const AttentionState& state, const Scene& scene,
                      const plot::LiveCells& live = {});
plot::Panel heads_panel(const AttentionState& state, const Scene& scene);
plot::Panel distance_panel(const AttentionState& state, const Scene& scene);
plot::Panel shift_panel(const AttentionState& state, const Scene& scene);

/// Empty for a panel that the view does not have.
std::vector<plot::Readout> attention_readouts(const AttentionState& state, OpenedHead opened,
                                              std::string_view panel, plot::Point at);

/// CSV: query, key (first positions of a cell), positions_a_side, score, probability,
/// score_without_rope, masked (1: the key is padding) of the opened head.
plot::DataTable attention_data(const AttentionState& state, const Scene& scene);
std::string attention_report(const AttentionState& state, const Scene& scene);

}  // namespace ropescope::figures
