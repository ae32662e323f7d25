// The checks, run beside the window.
#pragma once

#include "app/gui/app_state.h"
#include "app/gui/background_job.h"

namespace ropescope::gui {

/// Ends a run after the check that is under way.
class CheckRunner {
  public:
    /// Starts a run when one is asked for and takes over what there is to tell. `wake` is called
    /// from the other thread when something has changed. Once a frame.
    void update(ChecksState& state, void (*wake)());

  private:
    BackgroundJob<ChecksState> job_;
};

}  // namespace ropescope::gui
