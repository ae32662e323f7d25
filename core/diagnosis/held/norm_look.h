// Dumps with a norm beside the rotation: what the rotation is, and whether the norm is right.
#pragma once

#include <optional>

#include "core/diagnosis/held/held_dump.h"
#include "core/diagnosis/hypotheses/second_look.h"

namespace ropescope::diagnosis {

bool has_norm(const Dump& dump);

/// The dump with its norms taken off, so that rows have the same length before and behind, and
/// without scores.
Dump without_norms(const Dump& dump);

/// Of a dump that the expected rotation explains with another norm: that norm is the fault.
std::optional<Analysis> with_norm_fault(const Dump& dump, const Expectation& expectation,
                                        const Held& held);

/// Without an expectation: what `look` finds in the dump without its norms, and the fault of the
/// norm if lengths are not the expected ones or no rotation is left behind it.
Analysis with_norms_taken(const Dump& dump, const SecondLook& look);

}  // namespace ropescope::diagnosis
