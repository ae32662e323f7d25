// What kernels put beside a right rotation: a Hadamard transform behind it, as code for quantised
// caches does, or a bias of the projection before or behind it.
// Sources: added.cpp, recognised_addition.cpp.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/diagnosis/analysis.h"
#include "core/diagnosis/held/held_dump.h"

namespace ropescope::diagnosis {

/// If the expected rotation and one of these make every number of every side that it does not
/// make by itself: that is the finding, in place of what a search finds. Empty otherwise.
std::optional<Analysis> with_something_added(const Dump& dump, const Expectation& expectation,
                                             const Held& held);

/// The same without an expectation, of a dump in which a side is no rotation by itself: `first` is
/// what a search has found, and `search` looks at another dump. A transform is its own inverse, and
/// a bias is what is left of a token at position 0; what is found without it has to make every
/// number with it. Empty otherwise.
std::optional<Analysis> with_addition_recognised(
    const Dump& dump, const Analysis& first, const std::function<Analysis(const Dump&)>& search);

/// What stands beside the rotation that the dump is held to; empty unless all of it is explained.
std::vector<Finding> findings_of_added(const Held& held);

/// Sylvester's transform in place, in its natural order, without a factor. Of a power of two.
void hadamard(std::span<double> x);

}  // namespace ropescope::diagnosis
