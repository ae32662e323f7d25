// Chooses what the attention view's maps show, and makes small maps of large ones.
#include "app/figures/attention/maps.h"

#include <algorithm>

namespace ropescope::figures {

OpenedHead opened_head(const Scene& scene, const EncoderConfig& config) {
    return {std::min(scene.attention_layer, config.n_layers - 1),
            std::min(scene.attention_head, config.n_heads - 1)};
}

std::vector<float> map_values(const AttentionState& state, const Scene& scene, OpenedHead at) {
    const HeadMap& map = state.map(at.layer, at.head);
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
