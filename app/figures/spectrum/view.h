// The view "spectrum": how fast every pair turns, against the context length.
#pragma once

#include "app/figures/view.h"

namespace ropescope::figures {

View spectrum_view();

}  // namespace ropescope::figures
