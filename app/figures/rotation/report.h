// The rotation view's numbers as a table and as a text.
#pragma once

#include <string>
#include <vector>

#include "app/figures/rotation/state.h"

namespace ropescope::figures {

/// CSV: panel ("pair.8", "score"), series (q, k, q_earlier, k_earlier, score), position (of the
/// arrow or dot; the distance n - m for a score), x and y as drawn: coordinates on the unit circle,
/// or distance and score.
plot::DataTable rotation_data(const RotationState& state, const std::vector<plot::Panel>& panels);

/// A table of the shown pairs, and the score.
std::string rotation_report(const RotationState& state);

}  // namespace ropescope::figures
