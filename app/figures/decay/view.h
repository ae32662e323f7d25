// The view "decay": how a score falls with the distance, and where it does not.
#pragma once

#include "app/figures/view.h"

namespace ropescope::figures {

View decay_view();

}  // namespace ropescope::figures
