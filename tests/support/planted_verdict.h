// Compares a diagnosis with the answer to a planted dump.
#pragma once

#include <string>
#include <vector>

#include "tests/support/planted_dumps.h"

namespace ropescope::test {

/// What is wrong with the diagnosis, in one line; empty if it is right.
std::string difference(const PlantedDump& planted, const diagnosis::Diagnosis& found);

/// The codes of all faults, in their order.
std::vector<std::string> fault_codes(const diagnosis::Diagnosis& found);

}  // namespace ropescope::test
