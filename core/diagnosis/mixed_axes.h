// The speeds of a pair that turns by several axes at once, as pairs with learned directions do:
// angle = sum over axes of omega[a] * position[a].
#pragma once

#include <optional>
#include <vector>

#include "core/diagnosis/axis_angles.h"

namespace ropescope::diagnosis {

/// [axes]: radians per unit of each axis, and their bounds.
struct MixedSpeeds {
    std::vector<double> omega = {}, error = {};
};

/// Solves for the speeds from short steps between tokens, then over ever larger positions. Empty if
/// no speeds explain the angles of all tokens, or if whole turns stay in doubt. Speeds by axes that
/// the tokens do not tell apart are shared among them.
std::optional<MixedSpeeds> recover_mixed(const AxisAngles& angles, Index pair);

}  // namespace ropescope::diagnosis
