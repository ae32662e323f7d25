// What a masked-language model puts in a place: the likeliest tokens.
#pragma once

#include <span>
#include <vector>

#include "core/base/index.h"
#include "core/encoder/trace.h"

namespace ropescope {

struct Prediction {
    Index id = 0;
    double probability = 0.0;  ///< softmax over all logits of the place, in double
};

/// What is put in the place of one token of a text.
struct PlacePredictions {
    Index position = 0;
    std::vector<Prediction> best;
};

/// Pieces that are named for each place, for people.
inline constexpr Index kNamedPredictions = 5;

/// The `most` tokens with the largest logits, the largest first; of equal ones the lower id.
std::vector<Prediction> best_predictions(std::span<const float> logits, Index most);

/// Those of these positions of a text; `logits` is [1, tokens, vocab].
std::vector<PlacePredictions> predictions_at(std::span<const Index> positions,
                                             const TraceTensor& logits,
                                             Index most = kNamedPredictions);

}  // namespace ropescope
