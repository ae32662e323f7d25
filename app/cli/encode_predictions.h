// What `ropescope encode --predict` says: the likeliest pieces in the place of each [MASK].
#pragma once

#include <string>
#include <vector>

#include "core/base/index.h"
#include "core/encoder/trace.h"
#include "core/formats/word_pieces.h"

namespace ropescope::cli {

/// Pieces that are named for each place.
inline constexpr Index kNamedPredictions = 5;

/// `ids` are the tokens of the text, in which [MASK] stands for itself; `logits` is [1, tokens,
/// vocab]. Throws InputError if no token is [MASK], or if the model knows other pieces than the
/// vocabulary has.
std::string predictions_text(const WordPieces& pieces, const std::vector<Index>& ids,
                             const TraceTensor& logits);
/// The same as JSON: [{"token": 3, "predictions": [{"piece": "a", "id": 7, "probability": 0.5}]}]
std::string predictions_json(const WordPieces& pieces, const std::vector<Index>& ids,
                             const TraceTensor& logits);

/// Throws InputError as above, before anything is computed.
void require_masks(const WordPieces& pieces, const std::vector<Index>& ids, Index vocab_size);

}  // namespace ropescope::cli
