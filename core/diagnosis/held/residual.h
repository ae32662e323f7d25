// What is left of a dump when a rotation is taken from it: every pair of every token, head and row,
// and the channels that stay, in multiples of what rounding explains.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/diagnosis/dump.h"
#include "core/diagnosis/finding.h"
#include "core/diagnosis/held/expected_rotation.h"
#include "core/diagnosis/rounding.h"

namespace ropescope::diagnosis {

/// How the numbers of a fixed-point table are made of exact ones.
enum class Towards : std::uint8_t { nearest, zero, below };

/// Cosines and sines: exact as far as float32 has them, or every one of them a number of a format,
/// or those of the hardware's fast functions.
struct TableFormat {
    std::optional<Dtype> dtype = {};  ///< a format of 16 bits
    double steps = 0.0;               ///< n / steps for a whole n, if it is not 0: Q15
    Towards towards = Towards::nearest;
    bool fast = false;

    bool exact() const { return !dtype && steps == 0.0 && !fast; }
    bool fixed_point() const { return steps != 0.0; }
};
/// All that models and kernels have: float16, bfloat16, Q15 in its six kinds (n / 32768 and
/// n / 32767; to the nearest, cut, rounded down), and last the fast functions.
std::vector<TableFormat> known_tables();
/// Half a step of the format, as a share of 1; of the fast functions their error. 0 if exact.
double unit_of(const TableFormat& table);

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
/// over the middle between two of its numbers is either of them taken. Q15 holds cos and sin alone,
/// at most 1 - 2^-15 in n / 32768, and a factor is multiplied afterwards.
///
/// Numbers that were rounded to 8 bits behind the rotation may be any of the numbers that become
/// them, half a step to either side, and at the end of the grid all larger ones: a pair is off by
/// its distance from these. The arithmetic has the format of the numbers before, and one rounding
/// more: the product with the scale.
///
/// The fast sine and cosine of GPUs are off by 2^-20.5 at most (sin.approx.f32 in NVIDIA's PTX ISA)
/// in the first turn, to which they reduce an angle x by a product with 1 / (2 pi) in fp32: x is
/// off by the rounding of that constant and of the product, 2 units of 2^-24.
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
