// What the expected rotation makes of one vector, and how far arithmetic may be from it.
#pragma once

#include <span>
#include <vector>

#include "core/diagnosis/held/held_dump.h"
#include "core/diagnosis/held/rotation_allowance.h"

namespace ropescope::diagnosis {

/// Turns vectors of one side, in float64. The side and the rotation must outlive it.
class VectorTurner {
  public:
    VectorTurner(const StatedSide& side, const ExpectedRotation& rotation);

    /// Whether the rotation is one of single vectors: no norm was taken, and nothing stands behind.
    static bool applies(const ExpectedRotation& rotation);

    /// What comes out for the vector before the rotation, [channels].
    void turn(Index row, Index head, Index token, std::span<const double> before,
              std::span<double> out) const;
    /// What would have to go in so that `behind` comes out.
    void turn_back(Index row, Index head, Index token, std::span<const double> behind,
                   std::span<double> out) const;
    /// [channels]: what each number that comes out may be off by (rotation_allowance.h): a share of
    /// the length of its pair, and of a channel that stays its own rounding.
    void allowed(Index row, Index head, Index token, std::span<const double> vector,
                 std::span<double> out) const;

  private:
    double angle(Index row, Index head, Index token, Index pair) const;

    const StatedSide& side_;
    const ExpectedRotation& rotation_;
    RotationAllowance allowance_;
    std::vector<double> coordinates_;
};

}  // namespace ropescope::diagnosis
