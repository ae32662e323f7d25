// The view "precision": what the rounding of positions, frequencies, angles and tables costs.
#pragma once

#include "app/figures/view.h"

namespace ropescope::figures {

View precision_view();

}  // namespace ropescope::figures
