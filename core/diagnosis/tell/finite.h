// The diagnosis of a dump with numbers that are NaN or infinite.
#pragma once

#include <vector>

#include "core/diagnosis/analysis.h"
#include "core/diagnosis/dump.h"

namespace ropescope::diagnosis {

/// What the finite tokens showed, below the numbers that are not finite. If these tokens are not
/// `from_start`, what is said of them by their number is left out. `expectation` may be null.
Analysis told_of_not_finite(const Dump& dump, const Expectation* expectation,
                            std::vector<NotFinite> numbers, Analysis of_rest, bool from_start);

}  // namespace ropescope::diagnosis
