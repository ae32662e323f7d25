// Which checks have something to say with the engines at hand.
#pragma once

#include <vector>

#include "core/checks/check.h"

namespace ropescope {

/// Without the family gpu, which compares engines, where there is one engine only; unless no check
/// is left then.
std::vector<const Check*> runnable(std::vector<const Check*> checks, const CheckContext& context);

}  // namespace ropescope
