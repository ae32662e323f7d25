// Faults with a number of their own, which no list of wrong answers can hold: another base, another
// offset, another length of the table.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/faults/rotation/plan.h"
#include "core/rope/rope_spec.h"

namespace ropescope::faults {

struct NearFault {
    std::string code, text;
};

/// The first fault whose plan gives an answer that `matches` accepts. `right` is the plan of
/// `spec`, a model in one axis.
std::optional<NearFault> find_near_fault(const RotationPlan& right, const RopeSpec& spec,
                                         const std::function<bool(const RotationPlan&)>& matches);

}  // namespace ropescope::faults
