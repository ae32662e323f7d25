// The scenes in which every sentence is held against the numbers.
#pragma once

#include <vector>

#include "app/figures/view.h"
#include "tests/support/random.h"

namespace ropescope::figures {

/// The default, every preset, the scenes that the view's claims name, and random ones.
std::vector<Scene> scenes_of(const View& view, test::Random& random);

}  // namespace ropescope::figures
