// Turns single vectors.
#include "core/diagnosis/held/turned_vector.h"

#include <algorithm>
#include <cmath>

namespace ropescope::diagnosis {

VectorTurner::VectorTurner(const StatedSide& side, const ExpectedRotation& rotation)
    : side_(side),
      rotation_(rotation),
      allowance_(side.tensors, rotation),
      coordinates_(coordinate_errors(side.positions, rotation)) {}

bool VectorTurner::applies(const ExpectedRotation& rotation) {
    return !rotation.format_behind && rotation.behind.empty() && rotation.still_at.empty() &&
           rotation.written == rotation.pairs;
}

double VectorTurner::angle(Index row, Index head, Index token, Index pair) const {
    const std::vector<double>& omega = rotation_.head(head).omega;
    double angle = 0.0;
    for (Index axis = 0; axis < rotation_.axes; ++axis) {
        angle += omega[static_cast<std::size_t>(pair * rotation_.axes + axis)] *
                 side_.positions.at(axis, row, token);
    }
    return angle;
}

void VectorTurner::turn(Index row, Index head, Index token, std::span<const double> before,
                        std::span<double> out) const {
    std::ranges::copy(before, out.begin());
    const double gain = rotation_.head(head).gain;
    for (Index pair = 0; pair < std::ssize(rotation_.pairs); ++pair) {
        const auto [first, second] = rotation_.pairs[pair];
        const double at = angle(row, head, token, pair);
        const double cos = gain * std::cos(at), sin = gain * std::sin(at);
        out[first] = before[first] * cos - before[second] * sin;
        out[second] = before[first] * sin + before[second] * cos;
    }
}

void VectorTurner::turn_back(Index row, Index head, Index token, std::span<const double> behind,
                             std::span<double> out) const {
    std::ranges::copy(behind, out.begin());
    const double gain = rotation_.head(head).gain;
    for (Index pair = 0; pair < std::ssize(rotation_.pairs); ++pair) {
        const auto [first, second] = rotation_.pairs[pair];
        const double at = angle(row, head, token, pair);
        const double cos = std::cos(at) / gain, sin = std::sin(at) / gain;
        out[first] = behind[first] * cos + behind[second] * sin;
        out[second] = behind[second] * cos - behind[first] * sin;
    }
}

void VectorTurner::allowed(Index row, Index head, Index token, std::span<const double> vector,
                           std::span<double> out) const {
    for (std::size_t c = 0; c < vector.size(); ++c) {
        out[c] = allowance_.still() * std::abs(vector[c]) + allowance_.floor();
    }
    const HeldHead& held = rotation_.head(head);
    for (Index pair = 0; pair < std::ssize(rotation_.pairs); ++pair) {
        const auto [first, second] = rotation_.pairs[pair];
        const double of_angle =
            angle_error(rotation_, held, pair, side_.positions, row, token, coordinates_);
        const double length = std::hypot(vector[first], vector[second]);
        out[first] = out[second] =
            length * (allowance_.rounding() + held.gain_error + of_angle) * std::abs(held.gain) +
            allowance_.floor();
    }
}

}  // namespace ropescope::diagnosis
