// A run of the checks in steps: as many checks as fit between two frames.
#pragma once

#include <vector>

#include "app/gui/state/app_state.h"

namespace ropescope::web {

class CheckSteps {
  public:
    /// Begins a run when the state asks for one, and runs checks until `seconds` have passed or
    /// none is left; the last one may take longer. Returns whether checks are left.
    bool advance(gui::AppState& state, double seconds);

  private:
    std::vector<const Check*> left_;
};

}  // namespace ropescope::web
