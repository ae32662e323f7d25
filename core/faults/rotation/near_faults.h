// Faults with a number of their own, which no list of wrong answers can hold: another base, another
// offset, another length of the table.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/faults/codes.h"
#include "core/faults/rotation/plan.h"
#include "core/rope/rope_spec.h"

namespace ropescope::faults {

/// A rule by which positions are kept that cannot hold them all, and what it is called.
struct StorageRule {
    std::string code, text;
    std::function<double(double position)> kept;
};
/// 16-bit floats, integers of 8 and 16 bits, and tables of 128, 256, 512, ... rows that begin again
/// or end. What an overflow leaves comes before a table that ends, because both are alike at the
/// last row.
const std::vector<StorageRule>& storage_rules();

/// What is known of a pair in a head at a token: its angle modulo a turn, within an error, and by
/// what its length was multiplied.
struct MeasuredAngle {
    Index pair = 0, b = 0, h = 0, l = 0;
    double rad = 0.0, error_rad = 0.0, stretched = 1.0;
    double x = 0.0, y = 0.0, to_x = 0.0, to_y = 0.0;  ///< before and behind the rotation
};
using PlanMatches = std::function<bool(const RotationPlan&)>;

/// The first fault whose plan gives an answer that `matches` accepts. `right` is the plan of
/// `spec`, or of a model in several axes, which has none. Parameters of the spectrum are fitted to
/// measured angles, if there are any: the number with the fewest digits that matches is named.
std::optional<NamedFault> find_near_fault(const RotationPlan& right, const RopeSpec* spec,
                                          const PlanMatches& matches,
                                          std::span<const MeasuredAngle> measured = {});

}  // namespace ropescope::faults
