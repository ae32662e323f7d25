// The view "absolute": the sinusoidal table, its shift map, and added positions beside RoPE.
#pragma once

#include "app/figures/view.h"

namespace ropescope::figures {

View absolute_view();

}  // namespace ropescope::figures
