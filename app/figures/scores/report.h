// The scores view's numbers as a table and as a text.
#pragma once

#include <string>

#include "app/figures/scores/state.h"
#include "app/plot/figure.h"

namespace ropescope::figures {

/// CSV: table ("score" by distance, "pair" at n - m, "singular" by index), at (the distance, the
/// pair, the index from 1), total, cos_part, sin_part. The rows of "singular" hold the values of
/// RoPE, of the multiplied and of the added bias there.
plot::DataTable scores_data(const ScoresState& state);

/// The scene's score, its pairs, and the singular values.
std::string scores_report(const ScoresState& state);

}  // namespace ropescope::figures
