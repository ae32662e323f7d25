// What the attention view shows of its state: its panels and the numbers. Sources:
// map_panel.cpp, heads_panel.cpp, predictions_panel.cpp, curve_panels.cpp, report.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/figures/attention/maps.h"
#include "app/plot/figure.h"

namespace ropescope::figures {

/// The opened head. `live`: draw its map from the engine's memory instead of from the state.
plot::Panel map_panel(const AttentionState& state, const Scene& scene, Side side = Side::own,
                      const plot::LiveCells& live = {});
plot::Panel heads_panel(const AttentionState& state, const Scene& scene, Side side = Side::own);
/// "previous 62 %"
std::string role_text(const LabelledRole& role);
/// What the pass would put in the place of the chosen [MASK], or else of the first. Empty if there
/// is none.
std::optional<plot::Panel> predictions_panel(const AttentionState& state, const Scene& scene,
                                             Side side = Side::own);
/// The predictions of the chosen place; null if there are none.
const PlacePredictions* chosen_place(const AttentionPass& pass, const Scene& scene);
/// A piece of the state's vocabulary as it is shown.
std::string piece_text(const AttentionState& state, Index id);
plot::Panel distance_panel(const AttentionState& state, const Scene& scene);
plot::Panel shift_panel(const AttentionState& state, const Scene& scene);

/// CSV: query, key (first positions of a cell), positions_a_side, score, probability,
/// score_without_rope, masked (1: the key is padding) of the opened head.
plot::DataTable attention_data(const AttentionState& state, const Scene& scene);
std::string attention_report(const AttentionState& state, const Scene& scene);

}  // namespace ropescope::figures
