// The diagram of the layouts view: which channels pair in each layout, and the vector between them.
#pragma once

#include "app/figures/layouts/walk.h"

namespace ropescope::figures {

/// The two layouts, one above the other, and the vector between them. `large`: with its numbers.
plot::Panel walk_panel(const Scene& scene, const Walk& walk, bool large);

}  // namespace ropescope::figures
