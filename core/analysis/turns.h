// cos and sin of distance x inv_freq for every pair, in double: what the analyses are made of.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/rope/spectrum.h"

namespace ropescope {

/// One distance: [pairs] each.
struct Turn {
    std::vector<double> cos, sin;
};

/// From the reduced angle: each entry is within 10 units of 2^-53 of the exact value for the
/// spectrum's inv_freq. |distance| <= 2^53.
void fill_turn(const Spectrum& spectrum, std::int64_t distance, Turn& turn);
Turn make_turn(const Spectrum& spectrum, std::int64_t distance);

/// Distances that walk_turns() reaches from one reduced angle. A walk that is split where such a
/// block begins gives the same bits.
inline constexpr std::int64_t kTurnBlock = 64;

/// Visits the distances first .. first + count - 1 in order, by angle addition from those blocks:
/// within 26 units of 2^-53, some ten times as fast as each by itself.
void walk_turns(const Spectrum& spectrum, std::int64_t first, std::int64_t count,
                const std::function<void(std::int64_t distance, std::span<const double> cos,
                                         std::span<const double> sin)>& visit);

}  // namespace ropescope
