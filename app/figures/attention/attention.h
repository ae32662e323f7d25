// The attention view: the passes of an encoder (encoder/), as maps, curves and predictions.
// Sources: panels.cpp, figure.cpp, report.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/figures/encoder/state.h"
#include "app/figures/view.h"
#include "app/plot/figure.h"

namespace ropescope::figures {

/// Which of the state's passes is shown: the model's own, or the one that it is compared with.
enum class ShownPass { own, other };
const AttentionPass& pass_of(const AttentionState& state, ShownPass side);
const HeadMap& map_of(const AttentionState& state, ShownPass side, OpenedHead at);
/// The same without RoPE.
const HeadMap& unrotated_map_of(const AttentionState& state, ShownPass side, OpenedHead at);
/// The tokens that the pass read.
const Tokens& tokens_of(const AttentionState& state, ShownPass side);

/// "score before the mask"
std::string quantity_name(const Scene& scene);
/// The end of their colours.
double map_limit(const AttentionState& state, const Scene& scene);

/// A square map of values.
struct SmallMap {
    Index side = 0;
    std::vector<float> values;  ///< [side, side]
};

/// The whole map as the engine computes and keeps it. Empty if the engine cannot be drawn from, or
/// if not every query is known.
plot::LiveCells live_map(const AttentionState& state, const Scene& scene, Engine& engine);

/// The opened head. `live`: draw its map from the engine's memory instead of from the state.
plot::Panel map_panel(const AttentionState& state, const Scene& scene,
                      ShownPass side = ShownPass::own, const plot::LiveCells& live = {});
plot::Panel heads_panel(const AttentionState& state, const Scene& scene,
                        ShownPass side = ShownPass::own);
/// "previous 62 %"
plot::Text role_text(const LabelledRole& role);
/// What the pass would put in the place of [MASK], or of each if there are several. Empty if there
/// is none.
std::optional<plot::Panel> predictions_panel(const AttentionState& state, const Scene& scene,
                                             ShownPass side = ShownPass::own);
/// A row of the panel: a piece that could stand at a place.
struct ShownPrediction {
    const PlacePredictions* place = nullptr;
    const Prediction* named = nullptr;
};
/// The five best of the only place; of several places the best of each.
std::vector<ShownPrediction> shown_predictions(const AttentionPass& pass);
/// The predictions of the chosen place; null if there are none.
const PlacePredictions* chosen_place(const AttentionState& state, ShownPass side,
                                     const Scene& scene);
/// A piece of the state's vocabulary as it is shown.
std::string piece_text(const AttentionState& state, Index id);

/// What the model predicts, or what has changed by more than rounding.
plot::Text attention_title(const AttentionState& state, const Scene& scene);
plot::Text attention_subtitle(const AttentionState& state, const Scene& scene);

/// CSV: query, key (first positions of a cell), positions_a_side, score, probability,
/// score_without_rope, masked (1: the key is padding) of the opened head.
plot::DataTable attention_data(const AttentionState& state, const Scene& scene);
plot::Text attention_report(const AttentionState& state, const Scene& scene);

View attention_view();

}  // namespace ropescope::figures
