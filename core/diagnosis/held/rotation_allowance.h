// How far the numbers behind a rotation may be from the exact ones by arithmetic alone: the one
// derivation that every comparison with a rotation takes. residual.h says what it counts.
#pragma once

#include <vector>

#include "core/diagnosis/dump.h"
#include "core/diagnosis/held/expected_rotation.h"

namespace ropescope::diagnosis {

class RotationAllowance {
  public:
    /// The rotation must outlive it.
    RotationAllowance(const DumpSide& side, const ExpectedRotation& rotation);

    /// Of a pair, as a share of its length, without that of its angle.
    double rounding() const { return rounding_; }
    /// Of a channel that stays, as a share of it: once in the format behind if the numbers before
    /// are of a finer one, and by the norm.
    double still() const { return still_; }
    /// Of any number: steps of the format at its smallest numbers.
    double floor() const { return floor_; }

  private:
    double rounding_ = 0.0, still_ = 0.0, floor_ = 0.0;
};

/// [axes]: how far the coordinates of an axis may be off, if they are not whole: 4 units of float32
/// of the largest; and by what positions that were measured may be off.
std::vector<double> coordinate_errors(const DumpPositions& positions,
                                      const ExpectedRotation& rotation);

/// How far the angle of a pair may be off, in radians: that of its frequency times the position,
/// and that of the coordinates. No two points of a circle are further apart than 2.
double angle_error(const ExpectedRotation& rotation, const HeldHead& head, Index pair,
                   const DumpPositions& positions, Index row, Index token,
                   const std::vector<double>& coordinates);

}  // namespace ropescope::diagnosis
