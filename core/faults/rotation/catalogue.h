// Faults that implementations of rotary position embedding really have, each as a change of a right
// plan: the one list of what vectors, probe and diagnose make and name. Sources: catalogue.cpp,
// layout_faults.cpp, spectrum_faults.cpp, place_faults.cpp.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/faults/rotation/plan.h"
#include "core/rope/rope_spec.h"

namespace ropescope::faults {

/// What a fault may look at beside the plan.
struct FaultSubject {
    RotationPlan right;
    /// Of a model in one axis; null for several axes.
    const RopeSpec* spec = nullptr;
};

struct RotationFault {
    std::string_view code;  ///< as `diagnose` names it: "layout.interleaved"
    std::string_view flag;  ///< what a case is about that shows it: "layout"
    std::string_view text;  ///< "the channels 2i and 2i + 1 were turned as pairs"
    /// The plan with the fault; nothing if the subject has nothing that it could concern.
    std::optional<RotationPlan> (*make)(const FaultSubject& subject);
};

/// The plan with the fault. A model of one axis that turns backwards is turned forward for the
/// fault, which reads the spec alone, and back again.
std::optional<RotationPlan> plan_with(const RotationFault& fault, FaultSubject subject);

/// All of them, the ones that are made most often first.
const std::vector<RotationFault>& rotation_faults();

/// The parts of the list.
std::vector<RotationFault> layout_faults();
std::vector<RotationFault> spectrum_faults();
std::vector<RotationFault> place_faults();

}  // namespace ropescope::faults
