// Runs the checks beside the window.
#pragma once

#include "app/gui/background/background_job.h"
#include "app/gui/background/engine_source.h"
#include "app/gui/state/app_state.h"

namespace ropescope::gui {

/// When it is destroyed, a run ends after the check that is under way.
class CheckRunner {
  public:
    explicit CheckRunner(EngineSource source = EngineSource()) : engines_(std::move(source)) {}

    /// Called once a frame. Starts a run when the state asks for one, with the GPU if the window
    /// computes on it, and copies its results into the state. If the window changes to the other
    /// engine, or the GPU is lost, the run begins again. An error that ends the run is the window's
    /// error. `wake` as for BackgroundJob.
    void update(AppState& state, void (*wake)());

  private:
    static void take_over(AppState& state, BackgroundJob<ChecksState>::Message message);

    ThreadEngines engines_;
    EngineFault of_fault_ = EngineFault::none;
    bool of_gpu_ = false;             ///< the run that was started last
    BackgroundJob<ChecksState> job_;  ///< last: it ends before the engines it uses
};

}  // namespace ropescope::gui
