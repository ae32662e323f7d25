// Computes the opened head's map on an engine and leaves it there.
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "app/figures/attention/maps.h"

namespace ropescope::figures {
namespace {

/// A tensor [batch 1, heads, positions, head_dim] has the rows of a head one after the other.
DeviceTensor upload_head(TensorOps& ops, const TraceTensor& tensor, Index head) {
    const Index positions = tensor.shape[2], head_dim = tensor.shape[3];
    const Index count = positions * head_dim;
    return ops.upload({tensor.floats.owner, tensor.values().subspan(head * count, count)},
                      positions, head_dim);
}

DeviceTensor upload_mask(TensorOps& ops, const AttentionState& state) {
    const Index count = state.tokens.count();
    if (state.seen == count) {
        return {};
    }
    const auto mask = std::make_shared<std::vector<float>>(count);
    std::fill(mask->begin() + state.seen, mask->end(), -std::numeric_limits<float>::max());
    return ops.upload({mask, *mask}, 1, count);
}

/// The scores before the mask or the probabilities of a head, times `sign`.
DeviceTensor device_map(TensorOps& ops, const AttentionState& state, const AttentionPass& pass,
                        OpenedHead at, bool softmax, double sign) {
    const LayerTrace& layer = pass.layers[at.layer];
    const Index count = state.tokens.count(), head_dim = state.config.head_dim();
    DeviceTensor map = ops.make(count, count);
    ops.attention({.shape = {1, 1, count, head_dim},
                   .q = upload_head(ops, layer.q_rot, at.head),
                   .k = upload_head(ops, layer.k_rot, at.head),
                   .v = {},
                   .mask = upload_mask(ops, state),
                   .scale = sign / std::sqrt(to_double(head_dim))},
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
    const DeviceTensor map = device_map(*ops, state, *state.pass, at, softmax, 1.0);
    if (scene.attention_quantity == AttentionQuantity::effect) {
        ops->add(map, device_map(*ops, state, *state.unrotated, at, false, -1.0), map);
    }
    ops->publish(map);
    const Index count = state.tokens.count();
    return {map,
            {.row_step = count,
             .block = state.map(at.layer, at.head).block,
             .rows = count,
             .columns = count,
             .largest = softmax}};
}

}  // namespace ropescope::figures
