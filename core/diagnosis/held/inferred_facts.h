// Facts of an expectation that no key of its file states: another value in the dump is a difference
// that is said, and no fault, if nothing else differs.
#pragma once

#include <optional>
#include <vector>

#include "core/diagnosis/diagnosis.h"
#include "core/diagnosis/held/held_dump.h"

namespace ropescope::diagnosis {

/// How the part, to which a dump is held, differs from what was inferred: layout, base, rotary_dim.
std::vector<Finding> differences_from_inferred(const Expectation& expectation,
                                               const ExpectedPart& part);

/// The dump held to the expectation with what was found in the place of what no key states, and all
/// else as it is expected. Empty unless every number is met.
std::optional<Held> held_but_for_inferred(const Dump& dump, const Expectation& expectation,
                                          const Recovered& found);

}  // namespace ropescope::diagnosis
