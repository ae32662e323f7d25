// Attention masks as users give them, 1 for a visible key, in the form that is added to scores.
#pragma once

#include <string>
#include <vector>

#include "core/base/index.h"
#include "core/formats/tensor.h"

namespace ropescope {

/// The numbers (1 - keep) * -FLT_MAX that both RoFormers add to the scores (Hugging Face
/// transformers, get_extended_attention_mask): [batch, queries, keys], queries = 1 if all queries
/// see the same keys. If `added` is empty every key is visible. A query that sees no key gives
/// equal probabilities to all.
struct AttentionMask {
    Index batch = 0;
    Index queries = 1;
    Index keys = 0;
    std::vector<float> added;

    bool given() const { return !added.empty(); }
};

/// The number of queries of a mask of this shape, as below; throws as below.
Index queries_of_mask(const std::vector<Index>& shape, Index batch, Index positions,
                      const std::string& origin);

/// Makes the mask from a tensor of any dtype (float, integer or BOOL) that holds 1 for a visible
/// key and 0 for a hidden one. Its shape is [keys] (for the whole batch), [batch, keys] or [batch,
/// queries, keys] with queries = keys. Throws InputError that names `origin` for other shapes, and
/// the place of a value outside of 0 .. 1.
AttentionMask make_attention_mask(const TensorBytes& keep, Index batch, Index positions,
                                  const std::string& origin = "mask");

}  // namespace ropescope
