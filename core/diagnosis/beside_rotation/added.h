// What kernels put beside a right rotation: a Hadamard transform behind it, as code for quantised
// caches does, or a bias of the projection before or behind it.
#pragma once

#include <optional>

#include "core/diagnosis/analysis.h"
#include "core/diagnosis/held/held_dump.h"

namespace ropescope::diagnosis {

/// If the expected rotation and one of these make every number of every side that it does not
/// make by itself: that is the finding, in place of what a search finds. Empty otherwise.
std::optional<Analysis> with_something_added(const Dump& dump, const Expectation& expectation,
                                             const Held& held);

}  // namespace ropescope::diagnosis
