// Puts the list of faults together.
#include "core/faults/rotation/catalogue.h"

#include "core/base/memo.h"

namespace ropescope::faults {
namespace {

void turn_round(RotationPlan& plan) {
    for (double& omega : plan.omega_rad) {
        omega = -omega;
    }
}

}  // namespace

std::optional<RotationPlan> plan_with(const RotationFault& fault, FaultSubject subject) {
    const bool backwards = subject.spec != nullptr && subject.right.omega_rad.front() < 0.0;
    if (backwards) {
        turn_round(subject.right);
    }
    std::optional<RotationPlan> plan = fault.make(subject);
    if (plan && backwards) {
        turn_round(*plan);
    }
    return plan;
}

const std::vector<RotationFault>& rotation_faults() {
    return made_once([] {
        std::vector<RotationFault> all = layout_faults();
        for (const auto& part : {spectrum_faults(), place_faults()}) {
            all.insert(all.end(), part.begin(), part.end());
        }
        return all;
    });
}

}  // namespace ropescope::faults
