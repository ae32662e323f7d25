// The opened head's map as an engine computes and keeps it.
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "app/figures/attention/state.h"

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

/// The scores before the mask or the probabilities of a head, times `sign`.
DeviceTensor device_map(TensorOps& ops, const AttentionState& state, const AttentionRun& run,
                        OpenedHead at, bool softmax, double sign) {
    const LayerTrace& layer = run.layers[static_cast<std::size_t>(at.layer)];
    const std::int64_t count = state.tokens.count(), head_dim = state.config.head_dim();
    DeviceTensor map = ops.make(count, count);
    ops.attention({.shape = {1, 1, count, head_dim},
                   .q = upload_head(ops, layer.q_rot, at.head),
                   .k = upload_head(ops, layer.k_rot, at.head),
                   .v = {},
                   .mask = upload_mask(ops, state),
                   .scale = sign / std::sqrt(static_cast<double>(head_dim))},
                  {.context = {},
                   .scores = softmax ? DeviceTensor{} : map,
                   .probs = softmax ? map : DeviceTensor{},
                   .log_sums = {}});
    return map;
}

}  // namespace

plot::LiveCells live_map(const AttentionState& state, const Scene& scene, Engine& engine) {
    if (state.query_step > 1) {
        return {};  // not all queries are there
    }
    const std::unique_ptr<TensorOps> ops = engine.tensor_ops();
    if (!engine.drawable()) {
        return {};
    }
    const OpenedHead at = opened_head(scene, state.config);
    const bool softmax = scene.attention_quantity == AttentionQuantity::softmax;
    const DeviceTensor map = device_map(*ops, state, *state.run, at, softmax, 1.0);
    if (scene.attention_quantity == AttentionQuantity::effect) {
        ops->add(map, device_map(*ops, state, *state.unrotated, at, false, -1.0), map);
    }
    ops->publish(map);
    const std::int64_t count = state.tokens.count();
    return {map,
            {.row_step = count,
             .block = state.map(at.layer, at.head).block,
             .rows = count,
             .columns = count,
             .largest = softmax}};
}

}  // namespace ropescope::figures
