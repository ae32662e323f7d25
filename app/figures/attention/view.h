// The attention view: every head of a whole encoder on real tokens, one opened large.
#pragma once

#include "app/figures/view.h"

namespace ropescope::figures {

View attention_view();

}  // namespace ropescope::figures
