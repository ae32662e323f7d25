// The view "table": cos, sin or angle over position x pair, as a cache holds it.
#pragma once

#include "app/figures/view.h"

namespace ropescope::figures {

View table_view();

}  // namespace ropescope::figures
