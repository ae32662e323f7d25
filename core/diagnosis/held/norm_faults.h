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
/// Empty if one of the sides has another rotation than expected, or another fault. A dump that is
/// as expected with the errors of a GPU's fast sines is looked at too: another norm that leaves
/// nothing with exact ones, which is a factor on all pairs of a row, is not their error.
std::optional<HeldWithFaults> held_with_norm_faults(const Dump& dump, const Held& held);

/// What the rounding of the norm and of the rotation leaves of a length, as a share of it.
double rounding_of_lengths(const StatedSide& stated);
/// Whether all lengths are the expected ones within it and `extra`.
bool lengths_fit(const StatedSide& stated, double extra);

/// "q and k are normalised before they are turned, ...": what was taken off the tensors, less the
/// sides whose norm is `wrong`.
std::vector<Finding> notes_of_norms(const Dump& dump, Side wrong = Side::none);
/// The sides that some findings accuse.
Side sides_accused_by(const std::vector<Finding>& faults);

}  // namespace ropescope::diagnosis
