// The curves that scores and the decay are drawn with, of every engine.
#pragma once

#include "core/checks/check.h"

namespace ropescope {

/// Against long double.
Finding engine_curves(const CheckContext& context);
/// The second engine against the first; skipped where there is one.
Finding curves_agree(const CheckContext& context);

}  // namespace ropescope
