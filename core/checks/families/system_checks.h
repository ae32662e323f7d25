// Checks of the systems that the five texts write down, for any list of systems, so that tests can
// pass wrong ones. Sources: system_checks.cpp, system_failure_checks.cpp.
#pragma once

#include <span>
#include <vector>

#include "core/checks/check.h"
#include "core/systems/equivalence.h"

namespace ropescope {

/// All checks of a list of systems that has the ids of all_systems(). The checks point into the
/// list.
std::vector<Check> system_checks(const std::vector<System>& systems);
/// The part of system_checks() about failures that the code of the texts shows on certain shapes.
std::vector<Check> system_failure_checks(const std::vector<System>& systems);

/// Holds a rotating system to the double route of core/rope within the rounding of its own code.
CheckFinding system_rotates(const System& system, Layout layout, const Cases& cases = {});

/// For a system that is claimed to be no rotation: counts the head_dims at which it is one.
CheckFinding system_does_not_rotate(const System& system, std::span<const std::int64_t> head_dims);

}  // namespace ropescope
