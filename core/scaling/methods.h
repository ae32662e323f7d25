// The one list of the scaling methods. Each has a file of its own, with its parameters, its
// description, its limits and its formula.
#pragma once

#include <variant>

#include "core/scaling/linear.h"
#include "core/scaling/llama3.h"
#include "core/scaling/longrope.h"
#include "core/scaling/no_scaling.h"
#include "core/scaling/ntk.h"
#include "core/scaling/proportional.h"
#include "core/scaling/yarn.h"

namespace ropescope {

/// In the order in which people see them.
using Scaling = std::variant<NoScaling, LinearScaling, NtkScaling, DynamicNtkScaling, YarnScaling,
                             Llama3Scaling, LongRopeScaling, ProportionalScaling>;

}  // namespace ropescope
