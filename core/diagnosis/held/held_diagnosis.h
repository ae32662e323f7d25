// The diagnosis of a dump that was held to an expectation.
#pragma once

#include "core/diagnosis/analysis.h"
#include "core/diagnosis/held/held_dump.h"

namespace ropescope::diagnosis {

/// Of a dump that meets it: every number is the expected one, so that nothing has to be searched,
/// and what the expectation has is no more than a note.
Analysis as_expected(const Dump& dump, const Expectation& expectation, const Held& held);

/// Of one that does not, with what the search found in it. Scores may be the same nevertheless;
/// else there is a mismatch, whatever the search has found.
Analysis weighed(const Dump& dump, const Expectation& expectation, const Held& held,
                 Analysis searched);

}  // namespace ropescope::diagnosis
