// The encoders a second time, in double and as plainly as they are defined, with a bound on what
// fp32 may differ by. Nothing of the forward pass in core/encoder is used.
#pragma once

#include <vector>

#include "core/checks/reference/estimate.h"
#include "core/encoder/encoder.h"

namespace ropescope {

struct ReferenceLayer {
    Estimates q_rot, k_rot;  ///< [batch, positions, heads, head_dim]
    Estimates scores, probs, log_sums;
};

struct ReferenceTrace {
    std::vector<ReferenceLayer> layers;
    std::vector<Estimates> hidden;  ///< [batch * positions, hidden]
    Estimates logits;               ///< [batch * positions, vocab]
};

/// Runs the encoder. From `rope` it uses enabled, base, layout and shift; an entry of the mask
/// keeps its key if it is 0.
ReferenceTrace reference_forward(const EncoderConfig& config, const Weights& weights,
                                 const EncoderInput& input, const EncoderRope& rope = {});

}  // namespace ropescope
