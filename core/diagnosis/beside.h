// Tensors beside q and k that a call must leave as they are, or write where they belong: values,
// and the keys in a cache.
#pragma once

#include "core/diagnosis/analysis.h"
#include "core/diagnosis/dump.h"
#include "core/diagnosis/hypotheses/second_look.h"

namespace ropescope::diagnosis {

/// Adds the faults of v and of the cache, if the dump has them. A number is the same if it is that
/// of the other tensor rounded to the format of this one. `look` explains keys with the
/// expectation, which may be null.
Analysis with_faults_beside(const Dump& dump, const Expectation* expectation,
                            const SecondLook& look, Analysis analysis);

}  // namespace ropescope::diagnosis
