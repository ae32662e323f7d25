// An opened config.json, checkpoint or preset: what is in it.
#pragma once

#include "app/figures/view.h"

namespace ropescope::figures {

View model_view();

}  // namespace ropescope::figures
