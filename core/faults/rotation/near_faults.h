// Faults with a number of their own, which no list of wrong answers can hold: another base, another
// offset, another length of the table.
#pragma once

#include <functional>
#include <optional>
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

/// The first fault whose plan gives an answer that `matches` accepts. `right` is the plan of
/// `spec`, or of a model in several axes, which has none.
std::optional<NamedFault> find_near_fault(const RotationPlan& right, const RopeSpec* spec,
                                          const std::function<bool(const RotationPlan&)>& matches);

}  // namespace ropescope::faults
