// Names from the catalogue of faults for what a dump does in place of the expected rotation.
#pragma once

#include <vector>

#include "core/diagnosis/finding.h"
#include "core/diagnosis/held/held_dump.h"

namespace ropescope::diagnosis {

/// The faults that make every number of the sides that are not as expected.
struct PlannedFaults {
    std::vector<Finding> findings = {};  ///< one for both sides, or one for each
    bool listed = true;                  ///< none of them has a number of its own

    /// The findings, each with a full stop.
    std::vector<Finding> sentences() const;
};

/// Each fault of the catalogue (core/faults/rotation) is made as a change of the expected rotation
/// and compared with all numbers of a side, in the allowance of held/residual.h: first at a few
/// tokens, so that most are thrown away at once. If none makes the whole side, the rows, heads,
/// tokens or pairs that are not as expected are compared alone. Empty if a side is left without a
/// name, and for tensors with a norm behind the rotation.
PlannedFaults planned_faults(const Held& held);

/// Whether a finding says what was measured, which may follow from many mistakes: a plan that makes
/// every number says more.
bool is_measurement(const Finding& finding);

}  // namespace ropescope::diagnosis
