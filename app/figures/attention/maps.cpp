// Chooses what the attention view's maps show, and makes small maps of large ones.
#include "app/figures/attention/maps.h"

#include <algorithm>

namespace ropescope::figures {

const AttentionPass& pass_of(const AttentionState& state, Side side) {
    return side == Side::own ? *state.pass : *state.other->pass;
}

const HeadMap& map_of(const AttentionState& state, Side side, OpenedHead at) {
    return pass_of(state, side).maps[at.layer * state.config.n_heads + at.head];
}

std::vector<float> map_values(const AttentionState& state, const Scene& scene, Side side,
                              OpenedHead at) {
    const HeadMap& map = map_of(state, side, at);
    if (scene.attention_quantity == AttentionQuantity::softmax) {
        return map.probs;
    }
    std::vector<float> values = map.scores;
    if (scene.attention_quantity == AttentionQuantity::effect) {
        const std::vector<float>& off = state.unrotated_map(at.layer, at.head).scores;
        std::transform(values.begin(), values.end(), off.begin(), values.begin(),
                       [](float with, float without) { return with - without; });
    }
    return values;
}

plot::HeatMap heat_map(const AttentionState& state, const Scene& scene, Side side, OpenedHead at) {
    const HeadMap& map = map_of(state, side, at);
    const double most = map_limit(state, scene);
    const bool positive = scene.attention_quantity == AttentionQuantity::softmax;
    return {.columns = map.cells,
            .rows = map.cells,
            .values = map_values(state, scene, side, at),
            .dx = to_double(map.block),
            .dy = to_double(map.block),
            .min = positive ? 0.0 : -most,
            .max = most,
            .map = positive ? plot::ColorMap::viridis : plot::ColorMap::diverging,
            .label = quantity_name(scene)};
}

double map_limit(const AttentionState& state, const Scene& scene) {
    const double limit = scene.attention_quantity == AttentionQuantity::softmax ? state.scale.prob
                         : scene.attention_quantity == AttentionQuantity::scores
                             ? state.scale.score
                             : state.scale.rope_effect;
    return limit > 0 ? limit : 1.0;
}

std::string quantity_name(const Scene& scene) {
    if (scene.attention_quantity == AttentionQuantity::softmax) {
        return "probability after softmax";
    }
    return scene.attention_quantity == AttentionQuantity::scores ? "score before the mask"
                                                                 : "score with RoPE − without";
}

SmallMap shrunk(std::vector<float> values, Index side, Index most) {
    const Index by = (side + most - 1) / most;
    if (by <= 1) {
        return {side, std::move(values)};
    }
    const Index small = (side + by - 1) / by;
    std::vector<double> sums(small * small), counts(small * small);
    for (Index row = 0; row < side; ++row) {
        for (Index column = 0; column < side; ++column) {
            const Index cell = row / by * small + column / by;
            sums[cell] += values[row * side + column];
            counts[cell] += 1;
        }
    }
    values.resize(sums.size());
    std::ranges::transform(sums, counts, values.begin(), [](double sum, double count) {
        return static_cast<float>(sum / count);
    });
    return {small, std::move(values)};
}

}  // namespace ropescope::figures
