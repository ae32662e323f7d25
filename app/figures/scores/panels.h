// What the scores view shows of its state. Sources: panels.cpp, report.cpp.
#pragma once

#include <string>

#include "app/figures/scores/state.h"
#include "app/plot/figure.h"

namespace ropescope::figures {

/// "parts": the score and its two parts against distance.
plot::Panel parts_panel(const ScoresState& state);
/// "shares": both parts of every pair at the scene's distance.
plot::Panel shares_panel(const ScoresState& state);
/// "singular": the singular values of the three tables, each over the largest of its table.
plot::Panel singular_panel(const ScoresState& state);

/// CSV: table ("score" by distance, "pair" at n - m, "singular" by index), at (the distance, the
/// pair, the index from 1), total, cos_part, sin_part. The rows of "singular" hold the values of
/// RoPE, of the multiplied and of the added bias there.
plot::DataTable scores_data(const ScoresState& state);

/// The scene's score, its pairs, and the singular values.
std::string scores_report(const ScoresState& state);

}  // namespace ropescope::figures
