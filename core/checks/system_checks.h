// Checks of the seed documents' systems, apart from the sweep so that tests can hand in wrong ones.
#pragma once

#include <vector>

#include "core/checks/check.h"
#include "core/systems/equivalence.h"

namespace ropescope {

/// A rotating system against the double route of core/rope, within its own rounding.
Finding system_rotates(const System& system, Layout layout);

/// A system that is claimed to be no rotation: how many (head_dim, base) cases look like one.
Finding system_does_not_rotate(const System& system, std::vector<std::int64_t> head_dims);

/// Which verdict a pair of systems must get, and how many of the matrix differ from that.
using ExpectedVerdict = std::function<Verdict(const System& a, const System& b)>;
Finding verdicts_as_expected(const EquivalenceMatrix& matrix, const ExpectedVerdict& expected);

/// What the systems of the documents are to each other beyond head_dim 2.
Verdict expected_verdict(const System& a, const System& b);

/// The failures that the documents' code shows on certain shapes.
std::vector<Check> system_failure_checks();

}  // namespace ropescope
