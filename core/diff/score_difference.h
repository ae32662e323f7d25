// Scores of two dumps, held to what both multiplied.
//
// Each score of a dump is a factor times a product q_rot . k_rot, within the rounding of the
// arithmetic that formed it (diagnosis/scores/score_fit.h). Two right codes may be as far apart as
// both are from their products, and as their products are from each other: what was multiplied is
// compared by itself.
#pragma once

#include <optional>
#include <string>

#include "core/diagnosis/dump.h"
#include "core/diff/tensor_difference.h"

namespace ropescope::diff {

/// What one dump has of its scores, each [batch, heads, length, channels]; those of the scores are
/// keys.
struct ScoredSide {
    diagnosis::DumpTensor q, k, scores;
};

/// Whether the shapes of the three belong together.
bool belong_together(const ScoredSide& side);

/// Both sides must belong together and have the same shapes. `Spot::token` is a query and
/// `Spot::channel` a key.
TensorDifference compare_scores(const ScoredSide& a, const ScoredSide& b);

}  // namespace ropescope::diff
