// The checks, run beside the window.
#pragma once

#include "app/gui/background/background_job.h"
#include "app/gui/background/engine_source.h"
#include "app/gui/state/app_state.h"

namespace ropescope::gui {

/// Ends a run after the check that is under way.
class CheckRunner {
  public:
    explicit CheckRunner(EngineSource source = EngineSource()) : engines_(std::move(source)) {}

    /// Starts a run when one is asked for, of the GPU too where the window computes on it, and
    /// takes over what there is to tell; a run on another engine than the window's is of no use any
    /// more, nor one whose GPU is lost: the window then changes to the CPU. `wake` is called from
    /// the other thread when something has changed. Once a frame.
    void update(AppState& state, void (*wake)());

  private:
    ThreadEngines engines_;
    bool of_gpu_ = false;             ///< the run that was started last
    BackgroundJob<ChecksState> job_;  ///< last: it ends before the engines it uses
};

}  // namespace ropescope::gui
