// Counts the roundings of a rotation.
#include "core/diagnosis/held/rotation_allowance.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/diagnosis/rounding.h"

namespace ropescope::diagnosis {
namespace {

/// Units of the format behind, and of fp32, that the numbers of a pair may be off by.
double rounding_share(const FloatFormat& before, const FloatFormat& after,
                      const ExpectedRotation& rotation, bool quantised) {
    const bool finer = before.unit < after.unit;
    const bool factor =
        std::ranges::any_of(rotation.heads, [](const HeldHead& h) { return h.gain != 1.0; });
    const double roundings = 2.0 + std::numbers::sqrt2 + (finer ? 1.0 : 0.0) +
                             (factor ? 1.0 : 0.0) + (quantised ? 1.0 : 0.0);
    return roundings * after.unit + 4.0 * kUnitOfF32;
}

}  // namespace

RotationAllowance::RotationAllowance(const DumpSide& side, const ExpectedRotation& rotation) {
    const FloatFormat after = rotation.format_behind.value_or(format_of_rotation(side));
    const FloatFormat before = effective_format(side.before);
    const bool quantised = side.after.quantised.has_value();
    rounding_ = rounding_share(before, after, rotation, quantised) + rotation.norm_share;
    still_ =
        (before.unit < after.unit ? after.unit : 0.0) + rotation.norm_share + side.after.norm_share;
    if (quantised) {  // they were divided by their scale
        still_ += after.unit + 4.0 * kUnitOfF32;
    }
    // Numbers near the smallest of the format lose steps, not shares.
    floor_ = 4.0 * after.smallest;
}

std::vector<double> coordinate_errors(const DumpPositions& positions,
                                      const ExpectedRotation& rotation) {
    std::vector<double> errors;
    const Index each = positions.batch * positions.length;
    for (Index a = 0; a < positions.axes; ++a) {
        bool whole = true;
        double reach = 0.0;
        for (Index i = 0; i < each; ++i) {
            const double x = positions.values[a * each + i];
            whole = whole && x == std::round(x);
            reach = std::max(reach, std::abs(x));
        }
        errors.push_back((whole ? 0.0 : 4.0 * kUnitOfF32 * reach) + rotation.position_error);
    }
    return errors;
}

double angle_error(const ExpectedRotation& rotation, const HeldHead& head, Index pair,
                   const DumpPositions& positions, Index row, Index token,
                   const std::vector<double>& coordinates) {
    const Index axes = rotation.axes;
    double error = 0.0;
    for (Index a = 0; a < axes; ++a) {
        error += head.error[pair * axes + a] * std::abs(positions.at(a, row, token)) +
                 std::abs(head.omega[pair * axes + a]) * coordinates[a];
    }
    return std::min(error, 2.0);
}

}  // namespace ropescope::diagnosis
