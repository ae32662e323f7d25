// What the schemes are written in: frequencies of one axis, and which pairs an axis gets.
#pragma once

#include <span>
#include <vector>

#include "core/base/index.h"
#include "core/rope/spectrum.h"

namespace ropescope {

/// The frequencies of the pairs that one axis turns, in radians per unit of that axis.
struct AxisBand {
    Index axis = 0;
    std::vector<double> omega_rad;
};

/// The pairs of the first band, then those of the next.
Spectrum bands_in_order(Index axes, std::span<const AxisBand> bands);
/// A pair of each band in turn. The bands must have one length.
Spectrum bands_in_turn(Index axes, std::span<const AxisBand> bands);
/// One frequency for each pair, and the axis that turns it.
Spectrum by_axis_of_pair(Index axes, std::span<const double> omega_rad,
                         std::span<const Index> axis_of_pair);

/// base^(-2j / dim), j = 0 .. dim / 2 - 1, of `dim` channels. Throws InputError unless dim is even
/// and positive and the base is finite and above 0; `what` names the channels in the message.
std::vector<double> inverse_powers(Index dim, double base, const char* what);
/// `count` numbers from first to last, both included.
std::vector<double> linear_steps(double first, double last, Index count);
/// Each number times `factor`.
std::vector<double> scaled(std::vector<double> numbers, double factor);

/// Channels of all heads together that turn as one, where they do.
inline constexpr Index kMaxSharedWidth = Index{1} << 20;
/// The channels of all heads together. Throws InputError unless they are `least` to
/// kMaxSharedWidth.
Index shared_width(Index heads, Index head_dim, Index least);

/// Throws InputError unless head_dim is a positive multiple of `multiple` and within kMaxHeadDim.
void require_head_dim(Index head_dim, Index multiple, const char* scheme);

}  // namespace ropescope
