// What is left of a dump when a rotation is taken from it: every pair of every token, head and row,
// and the channels that stay, in multiples of what rounding explains.
#pragma once

#include <optional>
#include <vector>

#include "core/diagnosis/dump.h"
#include "core/diagnosis/finding.h"
#include "core/diagnosis/held/expected_rotation.h"
#include "core/diagnosis/rounding.h"

namespace ropescope::diagnosis {

/// Table of cos and sin: exact, or with every entry a number of a format of 16 bits.
using TableFormat = std::optional<Dtype>;

/// The share of its length that a pair may be off by rounding alone, without that of its angle.
double pair_rounding(const DumpSide& side, const ExpectedRotation& rotation);

/// Holds all of a side to the rotation. The allowance of a pair follows from the arithmetic alone:
///   length * (r u + 4 * 2^-24 + angle error) + 4 steps of the format at its smallest numbers.
/// u is the unit of the format that the values behind show. r counts its roundings: cos and sin
/// (1), two products of each channel (sqrt(2) of the length), the sum (1); one more if the values
/// before are of a finer format, so that they were rounded first, and one if there is a factor.
/// 4 * 2^-24: cos and sin come out of fp32 functions (2 units), are stored (1) and multiplied by a
/// factor (1). The error of an angle is that of the frequency in fp32 times the position
/// (ExpectedPart::error), and of a coordinate that is not whole (4 units of the largest). With a
/// table of 16 bits cos and sin are the rounded ones; only where the error of the angle reaches
/// over the middle between two of its numbers is either of them taken.
Residual residual_of(const DumpSide& side, Side name, const DumpPositions& positions,
                     const ExpectedRotation& rotation, TableFormat table = {});

/// What stands behind the rotation of each pair, by all tokens, rows and heads of both sides: the
/// one of the eight matrices that exchange the two channels or change signs which is nearest.
/// Nothing is fitted, so that small errors of angles cannot hide in it. Empty if the sides have
/// other numbers of pairs. Scores do not notice such matrices if q and k have the same.
std::vector<PairMatrix> matrices_behind(const std::vector<DumpSide>& sides,
                                        const std::vector<DumpPositions>& positions,
                                        const std::vector<ExpectedRotation>& rotations);

}  // namespace ropescope::diagnosis
