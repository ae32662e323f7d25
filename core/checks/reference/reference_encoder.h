// The encoders once more, in double and as plainly as they are defined, with what fp32 may differ
// by: nothing of core/encoder's forward is used.
#pragma once

#include <vector>

#include "core/checks/reference/estimate.h"
#include "core/encoder/encoder.h"

namespace ropescope {

struct ReferenceLayer {
    Estimates q_rot, k_rot;  ///< [batch, positions, heads, head_dim]
    Estimates scores, probs;
};

struct ReferenceTrace {
    std::vector<ReferenceLayer> layers;
    std::vector<Estimates> hidden;  ///< [batch * positions, hidden]
    Estimates logits;               ///< [batch * positions, vocab]
};

/// Of the options of `rope`: enabled, base, layout and shift. A mask is read as keep (0) or not.
ReferenceTrace reference_forward(const EncoderConfig& config, const Weights& weights,
                                 const EncoderInput& input, const EncoderRope& rope = {});

}  // namespace ropescope
