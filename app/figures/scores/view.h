// The view "scores": where a score comes from, pair by pair, and why it is not content times bias.
#pragma once

#include "app/figures/view.h"

namespace ropescope::figures {

View scores_view();

}  // namespace ropescope::figures
