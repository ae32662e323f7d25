// Positions of tokens in one or several axes, and rotation tables for them.
#pragma once

#include <span>

#include "core/base/index.h"
#include "core/rope/rotation_table.h"

namespace ropescope {

/// [axes, tokens] row-major, in memory that another object owns: real numbers of any sign, up to
/// kMaxPosition in magnitude.
struct AxisPositions {
    std::span<const double> values;
    Index axes = 1;

    Index tokens() const { return std::ssize(values) / axes; }
    double at(Index axis, Index token) const { return values[axis * tokens() + token]; }
};

/// Throws InputError unless there are `axes` rows of one length and every position is a number
/// within +-kMaxPosition; the message names the axis and the token.
void validate(const AxisPositions& positions, Index axes);

/// Returns the table whose row r turns by the positions of token r in all axes (Spectrum), times
/// the attention factor. With attention factor 1 each entry is within 1e-7 of the exact value while
/// sum |omega position| stays below 2^20 rad, as make_rotation_table() of one axis. If the
/// positions are whole numbers and each pair turns by one axis, an entry has the bits of that
/// function's for the position in the pair's own axis: text, whose positions are the same in all
/// axes, turns as in one axis. Throws InputError as validate(positions, spectrum.axes) does.
RotationTable make_rotation_table(const Spectrum& spectrum, const AxisPositions& positions,
                                  int threads = 0);

}  // namespace ropescope
