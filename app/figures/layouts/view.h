// The view "layouts": which channels pair, which systems agree, and where the broken ones break.
#pragma once

#include "app/figures/view.h"

namespace ropescope::figures {

View layouts_view();

}  // namespace ropescope::figures
