// Holds measured angles beside those of an explanation.
#include <cmath>

#include "core/diagnosis/analysis.h"

namespace ropescope::diagnosis {

std::optional<double> explained_angle_rad(const Explanation& side, Index row, Index token,
                                          Index pair) {
    if (!side.model || side.axis_map || side.places.position.empty()) {
        return std::nullopt;
    }
    const double position = side.places.position[row * side.turns.length + token];
    const double omega = pair < std::ssize(side.model->omega) ? side.model->omega[pair] : 0.0;
    return std::isnan(position) ? std::nullopt : std::optional(side.sign * omega * position);
}

}  // namespace ropescope::diagnosis
