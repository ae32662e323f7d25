// What `ropescope encode --predict` says: the likeliest pieces in the place of each [MASK].
#pragma once

#include <string>
#include <vector>

#include "core/base/index.h"
#include "core/encoder/encoder_config.h"
#include "core/encoder/trace.h"
#include "core/formats/word_pieces.h"

namespace ropescope::cli {

/// Throws InputError, before anything is computed, if no token is [MASK], if the model has no
/// masked-language-model head, or if it knows another number of pieces than the vocabulary has.
void require_predictable(const WordPieces& pieces, const std::vector<Index>& ids,
                         const EncoderConfig& config);

/// `ids` are the tokens of the text, in which [MASK] stands for itself; `logits` is [1, tokens,
/// vocab].
std::string predictions_text(const WordPieces& pieces, const std::vector<Index>& ids,
                             const TraceTensor& logits);
/// The same as JSON: [{"token": 3, "predictions": [{"piece": "a", "id": 7, "probability": 0.5}]}]
std::string predictions_json(const WordPieces& pieces, const std::vector<Index>& ids,
                             const TraceTensor& logits);

}  // namespace ropescope::cli
