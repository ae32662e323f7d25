// The checks of the curves from which scores and their decay are drawn.
#pragma once

#include "core/checks/check.h"

namespace ropescope {

/// Holds the curves of every engine to long double.
Finding engine_curves(const CheckContext& context);
/// Holds the curves of the second engine to those of the first. Skipped if there is only one.
Finding curves_agree(const CheckContext& context);

}  // namespace ropescope
