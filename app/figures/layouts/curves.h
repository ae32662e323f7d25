// The panels of the layouts view about the two systems: their outputs, norms and scores.
#pragma once

#include "app/figures/layouts/compare.h"
#include "app/plot/figure.h"

namespace ropescope::figures {

plot::Panel output_panel(const Scene& scene, const SystemComparison& comparison);
plot::Panel difference_panel(const SystemComparison& comparison);
plot::Panel norm_panel(const Scene& scene, const SystemComparison& comparison);
plot::Panel shift_panel(const Scene& scene, const SystemComparison& comparison);

}  // namespace ropescope::figures
