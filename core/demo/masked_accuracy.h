// How often an encoder names the hidden pieces of the held-out text, counted as
// tools/train-demo/score.py counts it.
#pragma once

#include "core/demo/demo_models.h"
#include "core/encoder/rope_options.h"

namespace ropescope::demo {

struct MaskedCount {
    Index right = 0;
    Index of = 0;
    /// Places whose two largest logits lie closer than kUndecidedLogits: there another order of
    /// additions may name another piece.
    Index undecided = 0;
};

/// As UNDECIDED in score.py. Logits of the demo models are below 32 and sums of 128 products in
/// fp32, so that two orders of additions differ by some 128 u 32 = 2.4e-4 at most.
inline constexpr float kUndecidedLogits = 1e-3F;

/// Cuts the held-out text into texts of `length` tokens with [CLS] and [SEP], of which the last may
/// be shorter, and counts over all of them. The same tokens are hidden at every length.
MaskedCount masked_accuracy(const Encoder& encoder, Index length, const EncoderRope& rope);

}  // namespace ropescope::demo
