// Attention masks as people give them, and what is added to the scores for them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/formats/tensor.h"

namespace ropescope {

/// (1 - keep) * -FLT_MAX of every key, as both RoFormers add it to the scores
/// (get_extended_attention_mask): [batch, queries, keys], with queries 1 where each query sees the
/// same keys. Empty: every key is seen. A query that sees none gets equal probabilities.
struct AttentionMask {
    std::int64_t batch = 0;
    std::int64_t queries = 1;
    std::int64_t keys = 0;
    std::vector<float> added;

    bool given() const { return !added.empty(); }
};

/// Of a tensor of any dtype (float, integer or BOOL), 1 where a key is kept and 0 where it is not,
/// of shape [keys] (for all), [batch, keys] or [batch, queries, keys] with queries = keys. Throws
/// InputError naming `origin` for other shapes, and the place of a value outside 0 .. 1.
AttentionMask make_attention_mask(const TensorBytes& keep, std::int64_t batch,
                                  std::int64_t positions, const std::string& origin = "mask");

}  // namespace ropescope
