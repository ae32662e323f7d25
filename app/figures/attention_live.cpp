// The opened head's map as an engine computes and keeps it.
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "app/figures/attention_parts.h"

namespace ropescope::figures {
namespace {

/// A tensor [batch 1, heads, positions, head_dim] has the rows of a head one after the other.
DeviceTensor upload_head(TensorOps& ops, const TraceTensor& tensor, std::int64_t head) {
    const std::int64_t positions = tensor.shape[2], head_dim = tensor.shape[3];
    const auto count = static_cast<std::size_t>(positions * head_dim);
    return ops.upload({tensor.floats.owner,
                       tensor.values().subspan(static_cast<std::size_t>(head) * count, count)},
                      positions, head_dim);
}

DeviceTensor upload_mask(TensorOps& ops, const AttentionState& state) {
    const std::int64_t count = state.tokens.count();
    if (state.seen == count) {
        return {};
    }
    const auto mask = std::make_shared<std::vector<float>>(static_cast<std::size_t>(count));
    std::fill(mask->begin() + state.seen, mask->end(), -std::numeric_limits<float>::max());
    return ops.upload({mask, *mask}, 1, count);
}

}  // namespace

plot::LiveCells live_map(const AttentionState& state, const Scene& scene, Engine& engine) {
    // Queries are all there, and what they are without RoPE is not kept.
    if (state.query_step > 1 || scene.attention_quantity == "effect") {
        return {};
    }
    const std::unique_ptr<TensorOps> made = engine.tensor_ops();
    if (!engine.drawable()) {
        return {};
    }
    TensorOps& ops = *made;
    const OpenedHead at = opened_head(scene, state.config);
    const LayerTrace& layer = state.run->layers[static_cast<std::size_t>(at.layer)];
    const std::int64_t count = state.tokens.count(), head_dim = state.config.head_dim();
    const bool softmax = scene.attention_quantity == "softmax";
    const DeviceTensor map = ops.make(count, count);
    ops.attention({.shape = {1, 1, count, head_dim},
                   .q = upload_head(ops, layer.q_rot, at.head),
                   .k = upload_head(ops, layer.k_rot, at.head),
                   .v = {},
                   .mask = upload_mask(ops, state),
                   .scale = 1.0 / std::sqrt(static_cast<double>(head_dim))},
                  {.context = {},
                   .scores = softmax ? DeviceTensor{} : map,
                   .probs = softmax ? map : DeviceTensor{},
                   .log_sums = {}});
    ops.publish(map);
    return {.tensor = map,
            .row_step = count,
            .block = state.map(at.layer, at.head).block,
            .rows = count,
            .columns = count,
            .largest = softmax};
}

}  // namespace ropescope::figures
