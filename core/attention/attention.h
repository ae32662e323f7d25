// Scaled dot-product attention on the CPU, in blocks of queries and keys: the scores of a block,
// their exponentials and the product with the values are computed while the block is in the cache,
// and no map is stored that nobody asks for.
#pragma once

#include <functional>

#include "core/base/index.h"
#include "core/rope/tensor_view.h"

namespace ropescope {

/// Keys of one block where no probabilities are stored. Each block after the first costs a row a
/// few roundings more (core/checks/reference/estimate.cpp).
inline constexpr Index kAttentionBlockKeys = 1024;

/// How many rows of what is added to the scores lie between those of one sample, head and query and
/// of the next: 0 along what they do not depend on.
struct AddedSteps {
    Index sample = 0, head = 0, query = 0;
};

/// What is added to the scores before the softmax: a mask, a bias, or both. Rows have a number for
/// each key. If values is nullptr, nothing is added.
struct AddedScores {
    const float* values = nullptr;
    AddedSteps steps;

    const float* row(Index b, Index h, Index q, Index keys) const {
        return values == nullptr
                   ? nullptr
                   : values + (b * steps.sample + h * steps.head + q * steps.query) * keys;
    }
};

/// Where to write the maps [batch, heads, positions, positions] before the addition and after the
/// softmax, and the logarithm of the sum of e^(score + added) of each row, [batch, heads,
/// positions]. Outputs that are nullptr are not computed.
struct AttentionMapPointers {
    float* scores = nullptr;
    float* probs = nullptr;
    float* log_sums = nullptr;
};

struct AttentionArguments {
    TensorView<const float> q, k, v;  ///< v is read only if context is wanted
    AddedScores added;
    float scale = 1.0F;         ///< factor of q . k, usually 1 / sqrt(head_dim)
    TensorView<float> context;  ///< probs v; not computed if data is nullptr
    AttentionMapPointers maps;
    int threads = 1;
    /// Called on the calling thread between blocks with the share that is done, 0 .. 1. If it
    /// returns false the work ends and the outputs are left undefined. May be empty.
    std::function<bool(double done)> keep_going = {};
};

/// Computes scores = scale q k^T, probs = softmax(scores + added) and context = probs v for every
/// batch and head (Vaswani et al., arXiv:1706.03762, eq. 1), in fp32. It needs about 1 MiB of
/// memory for each thread, and does not store a map that is not asked for. What is added is finite.
void attention(const AttentionArguments& arguments);

}  // namespace ropescope
