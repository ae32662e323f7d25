// cos and sin of distance * inv_freq for every pair, in double, on which the analyses are built.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/base/index.h"
#include "core/rope/spectrum.h"

namespace ropescope {

/// cos and sin at one distance, [pairs] each.
struct Turn {
    std::vector<double> cos, sin;
};

/// Computes cos and sin of the reduced angles. Each entry is within 10 units of 2^-53 of the exact
/// value for the spectrum's inv_freq. |distance| <= 2^53 positions.
void fill_turn(const Spectrum& spectrum, Index distance, Turn& turn);
Turn make_turn(const Spectrum& spectrum, Index distance);

/// Pairs, from the first on, that finish at least one turn within so many positions.
Index finishing_pairs(const Spectrum& spectrum, Index positions);
/// The spectrum with the pairs from `first` to before `last` standing still.
Spectrum with_still_pairs(Spectrum spectrum, Index first, Index last);

/// Number of distances that walk_turns() reaches from one reduced angle. Walks that begin a
/// multiple of this apart give the same bits where they overlap.
inline constexpr Index kTurnBlock = 64;

/// Visits the distances first, first + 1, ..., first + count - 1 in order. Angle addition from the
/// beginning of each block keeps entries within 26 units of 2^-53 and is about ten times as fast as
/// computing each distance by itself.
void walk_turns(const Spectrum& spectrum, Index first, Index count,
                const std::function<void(Index distance, std::span<const double> cos,
                                         std::span<const double> sin)>& visit);

}  // namespace ropescope
