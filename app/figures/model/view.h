// The view "model": what an opened config.json, checkpoint or preset holds.
#pragma once

#include "app/figures/view.h"

namespace ropescope::figures {

View model_view();

}  // namespace ropescope::figures
