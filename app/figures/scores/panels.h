// The panels of the scores view.
#pragma once

#include "app/figures/scores/state.h"
#include "app/plot/figure.h"

namespace ropescope::figures {

/// "parts": the score and its two parts against distance.
plot::Panel parts_panel(const ScoresState& state);
/// "shares": both parts of every pair at the scene's distance.
plot::Panel shares_panel(const ScoresState& state);
/// "singular": the singular values of the three tables, each over the largest of its table.
plot::Panel singular_panel(const ScoresState& state);

}  // namespace ropescope::figures
