// The factor between products of rotated q and k and the scores of a dump.
#pragma once

#include <optional>

#include "core/diagnosis/diagnosis.h"
#include "core/diagnosis/explanation.h"

namespace ropescope::diagnosis {

/// A finding `softmax.scale` if the scores are not q_rot . k_rot times the factor of the
/// expectation, or without one 1 / sqrt(head_dim): a fault, or a note where only the model can say.
/// Empty if they are, or if the dump has no scores. Masked scores (below -1e4, or infinite) do not
/// count.
std::optional<Finding> softmax_finding(const Dump& dump, const Explanation& side,
                                       const Expectation* expectation);

}  // namespace ropescope::diagnosis
