// What an encoder adds to its scores before the softmax: the mask that the caller gives, the mask
// of a decoder, and the bias of ALiBi or T5, as one tensor.
#pragma once

#include <span>
#include <vector>

#include "core/attention/mask.h"
#include "core/encoder/encoder_config.h"
#include "core/engine/tensor_ops.h"
#include "core/rope/table_rows.h"

namespace ropescope {

/// Rows of numbers for each key, as AddedTensor orders them; empty if nothing is added.
struct AddedRows {
    std::vector<float> values;
    bool by_sample = false, by_head = false, by_query = false;
};

/// `positions` has one for each token of a sequence, or of each sequence of the batch. `t5_table`
/// [kT5Buckets, heads] is needed by PositionEncoding::t5 alone. A key that is hidden has the lowest
/// finite number, whatever is added to it.
AddedRows added_scores(const EncoderConfig& config, SequenceShape shape,
                       std::span<const Index> positions, const AttentionMask& mask,
                       std::span<const float> t5_table);

}  // namespace ropescope
