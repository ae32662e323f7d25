// What can be wrong with the norm of q or k, and which of it explains a dump.
#pragma once

#include <optional>
#include <vector>

#include "core/diagnosis/held/held_dump.h"

namespace ropescope::diagnosis {

/// A norm in place of the expected one.
struct NormFault {
    Finding finding = {};
    std::optional<SideNorm> norm = {};  ///< empty: none
    double extra_share = 0.0;           ///< more rounding, as a share of a length
};

/// The mistakes that a kernel may make of this norm on a side of the dump: another eps, kind, order
/// or width, a 1 + that is missing or too much, the weights of the other side or none, no norm, and
/// last one in 16 bits. `other` are the weights of the other side; empty if it has none.
std::vector<NormFault> faults_of_norm(const StatedSide& side, const std::optional<SideNorm>& other);

/// The dump held to the expected rotation, with the first fault of each side's norm that explains
/// it where the expected norm does not.
struct HeldWithFaults {
    Held held = {};
    std::vector<Finding> faults = {};
};
/// Empty if one of the sides has another rotation than expected, or another fault.
std::optional<HeldWithFaults> held_with_norm_faults(const Dump& dump, const Held& held);

/// "q and k are normalised before they are turned, ...": what was taken off the tensors.
std::vector<Finding> notes_of_norms(const Dump& dump);

}  // namespace ropescope::diagnosis
