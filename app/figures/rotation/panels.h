// What the rotation view shows of its state: a plane for each pair, and the score against
// distance. Sources: panels.cpp, report.cpp.
#pragma once

#include <string>
#include <vector>

#include "app/figures/rotation/state.h"

namespace ropescope::figures {

/// A square panel "pair.<i>" for each shown pair, in reading order, in one cell of the grid.
std::vector<plot::Panel> pair_panels(const RotationState& state, const Trails& trails);

/// The figure with the arrows and arcs of its planes `positions` further on, by their own angles.
plot::Figure turned_on(plot::Figure figure, const RotationState& state, double positions);

/// The wide panel "score" below them.
plot::Panel score_panel(const RotationState& state);

/// CSV: panel ("pair.8", "score"), series (q, k, q_earlier, k_earlier, score), position (of the
/// arrow or dot; the distance n - m for a score), x and y as drawn: coordinates on the unit circle,
/// or distance and score.
plot::DataTable rotation_data(const RotationState& state, const std::vector<plot::Panel>& panels);

/// A table of the shown pairs, and the score.
std::string rotation_report(const RotationState& state);

}  // namespace ropescope::figures
