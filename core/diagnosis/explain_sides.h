// Both sides of a dump, each explained as if it were alone, and then by what one tells about the
// other.
#pragma once

#include <vector>

#include "core/diagnosis/diagnosis.h"
#include "core/diagnosis/dump.h"
#include "core/diagnosis/explanation.h"

namespace ropescope::diagnosis {

/// What a search may take for known; nothing if `expectation` is null.
Expected expected_of(const Dump& dump, const Expectation* expectation);

/// Throws InputError for a dump without a side.
std::vector<Explanation> explain_sides(const Dump& dump, const Expected& expected);

}  // namespace ropescope::diagnosis
