// A name from the catalogue of faults for what a dump does in place of the expected rotation.
#pragma once

#include <optional>

#include "core/diagnosis/finding.h"
#include "core/diagnosis/held/held_dump.h"

namespace ropescope::diagnosis {

/// The fault that makes every number of the sides that are not as expected: each of the catalogue
/// (core/faults/rotation) is made as a change of the expected rotation and compared with all of
/// them, in the allowance of held/residual.h. Empty if none or several of them do, for tensors that
/// are a slice of a head or have a norm, and for dumps of more than kMostPlannedNumbers a side, of
/// which the angles say enough.
std::optional<Finding> planned_fault(const Held& held);
inline constexpr Index kMostPlannedNumbers = Index{1} << 15;

}  // namespace ropescope::diagnosis
