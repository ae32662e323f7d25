// The panel of the spectrum view.
#pragma once

#include "app/figures/spectrum/state.h"
#include "app/plot/figure.h"

namespace ropescope::figures {

/// "spectrum": a point a pair over a logarithmic axis, and the limit of one turn in the context.
plot::Panel spectrum_panel(const SpectrumState& state);

}  // namespace ropescope::figures
