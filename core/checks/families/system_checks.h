// Checks of the seed documents' systems, apart from the sweep so that tests can hand in wrong ones.
#pragma once

#include <span>
#include <vector>

#include "core/checks/check.h"
#include "core/systems/equivalence.h"

namespace ropescope {

/// All checks of a list of systems with the ids of all_systems(); the checks point into it. Tests
/// hand in systems that are wrong on purpose.
std::vector<Check> system_checks(const std::vector<System>& systems);
/// The failures that the documents' code shows on certain shapes, a part of the above.
std::vector<Check> system_failure_checks(const std::vector<System>& systems);

/// A rotating system against the double route of core/rope, within its own rounding.
Finding system_rotates(const System& system, Layout layout);

/// A system that is claimed to be no rotation: how many of the head_dims show it as one.
Finding system_does_not_rotate(const System& system, std::span<const std::int64_t> head_dims);

}  // namespace ropescope
