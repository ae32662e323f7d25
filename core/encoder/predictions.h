// What a masked-language model puts in a place: the likeliest tokens.
#pragma once

#include <span>
#include <vector>

#include "core/base/index.h"

namespace ropescope {

struct Prediction {
    Index id = 0;
    double probability = 0.0;  ///< softmax over all logits of the place, in double
};

/// The `most` tokens with the largest logits, the largest first; of equal ones the lower id.
std::vector<Prediction> best_predictions(std::span<const float> logits, Index most);

}  // namespace ropescope
