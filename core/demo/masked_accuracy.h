// How often an encoder names the hidden pieces of the held-out text, counted as
// tools/train-demo/score.py counts it.
#pragma once

#include "core/demo/demo_models.h"
#include "core/encoder/rope_options.h"

namespace ropescope::demo {

struct MaskedCount {
    Index right = 0;
    Index of = 0;
    /// Places whose two largest logits lie closer than what was asked for.
    Index undecided = 0;
};

/// Cuts the held-out text into texts of `length` tokens with [CLS] and [SEP], of which the last may
/// be shorter, and counts over all of them. The same tokens are hidden at every length. Where the
/// two largest logits lie closer than `undecided_logits`, another order of additions may name
/// another piece. (score.py takes 1e-3.)
MaskedCount masked_accuracy(const Encoder& encoder, Index length, const EncoderRope& rope,
                            double undecided_logits);

}  // namespace ropescope::demo
