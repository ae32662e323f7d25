// How often an encoder names the hidden pieces of the held-out text, counted as
// tools/train-demo/score.py counts it.
#pragma once

#include <span>
#include <vector>

#include "core/demo/demo_models.h"
#include "core/encoder/rope_options.h"

namespace ropescope::demo {

/// One text, and what is hidden in it.
struct HiddenText {
    EncoderInput input;
    std::vector<Index> columns;  ///< of [MASK]
    std::vector<Index> right;    ///< the ids there
    Index first_answer = 0;      ///< ids before it are no answers
};

/// The held-out text, cut into texts of `length` tokens with [CLS] and [SEP], of which the last may
/// be shorter. The same tokens are hidden at every length.
std::vector<HiddenText> hidden_texts(Index length);

/// The same text for a decoder: nothing is hidden, and for each piece the column before it is
/// named. Special pieces are no answers: a decoder learns where the texts of its training end, and
/// names [SEP] from there on (tools/train-demo/score_twins.py).
std::vector<HiddenText> next_piece_texts(Index length);

struct MaskedCount {
    Index right = 0;
    Index of = 0;
    /// Places where the logit of the hidden piece lies nearer to the largest other one than what
    /// was asked for.
    Index undecided = 0;
};

/// Counts over these texts. Where the logit of the hidden piece and the largest other one lie
/// closer than `undecided_logits`, another order of additions may decide otherwise.
MaskedCount masked_accuracy(const Encoder& encoder, std::span<const HiddenText> texts,
                            const EncoderRope& rope, double undecided_logits);

}  // namespace ropescope::demo
