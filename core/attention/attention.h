// Scaled dot-product attention on the CPU, a block of queries at a time: the scores of a block,
// their softmax and its product with the values follow each other while the block is in the cache.
#pragma once

#include <cstdint>
#include <functional>

#include "core/rope/tensor_view.h"

namespace ropescope {

/// What is added to the scores before the softmax, the same for every head: values[b][q][k], with
/// `queries` 1 where it depends on the key alone. values == nullptr: nothing.
struct AddedMask {
    const float* values = nullptr;
    std::int64_t queries = 1;

    const float* row(std::int64_t b, std::int64_t q, std::int64_t keys) const {
        return values == nullptr ? nullptr : values + (b * queries + (queries == 1 ? 0 : q)) * keys;
    }
};

/// The maps [batch, heads, positions, positions] before the mask and after the softmax, and the
/// logarithm of each row's sum of e^score, [batch, heads, positions]. nullptr: not wanted.
struct AttentionMapPointers {
    float* scores = nullptr;
    float* probs = nullptr;
    float* log_sums = nullptr;
};

struct AttentionArguments {
    TensorView<const float> q, k, v;  ///< v is not read when there is no context
    AddedMask mask;
    float scale = 1.0F;         ///< of q . k
    TensorView<float> context;  ///< sum of probs v; data == nullptr: not wanted
    AttentionMapPointers maps;
    int threads = 1;
    /// Asked on the calling thread between blocks, with the share that is done (0 .. 1); false ends
    /// the work, and what was to be computed has any values. May be empty.
    std::function<bool(double done)> going_on = {};
};

/// scores = scale q k^T, probs = softmax(scores + mask), context = probs v, for every batch and
/// head (Vaswani et al., arXiv:1706.03762, eq. 1). Memory beyond the arguments: about 1 MiB a
/// thread, or 16 rows of scores where those are longer.
void attention(const AttentionArguments& arguments);

}  // namespace ropescope
