// The view "context": what each scaling method does to extend a trained context to a target length.
#pragma once

#include "app/figures/view.h"

namespace ropescope::figures {

View context_view();

}  // namespace ropescope::figures
