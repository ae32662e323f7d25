// The view "rotation": q and k of chosen pairs on their planes, and the score against distance.
#pragma once

#include "app/figures/view.h"

namespace ropescope::figures {

View rotation_view();

}  // namespace ropescope::figures
