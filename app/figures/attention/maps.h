// What the attention view's maps show of its state. Sources: maps.cpp, live.cpp.
#pragma once

#include <string>
#include <vector>

#include "app/figures/encoder/state.h"
#include "app/plot/figure.h"

namespace ropescope::figures {

/// Which of the state's passes is shown: the model's own, or the one that it is compared with.
enum class Side { own, other };
const AttentionPass& pass_of(const AttentionState& state, Side side);
const HeadMap& map_of(const AttentionState& state, Side side, OpenedHead at);

/// Cell by cell: scores before the mask, probabilities, or how much RoPE changes the scores.
std::vector<float> map_values(const AttentionState& state, const Scene& scene, Side side,
                              OpenedHead at);
/// The same with its colours.
plot::HeatMap heat_map(const AttentionState& state, const Scene& scene, Side side, OpenedHead at);
/// "score before the mask"
std::string quantity_name(const Scene& scene);
/// The end of their colours.
double map_limit(const AttentionState& state, const Scene& scene);

/// A square map of values.
struct SmallMap {
    Index side = 0;
    std::vector<float> values;  ///< [side, side]
};
/// The means of blocks of cells of a map [side, side], as few as give at most `most` to a side.
SmallMap shrunk(std::vector<float> values, Index side, Index most);

/// The whole map as the engine computes and keeps it. Empty if the engine cannot be drawn from, or
/// if not every query is known.
plot::LiveCells live_map(const AttentionState& state, const Scene& scene, Engine& engine);

}  // namespace ropescope::figures
