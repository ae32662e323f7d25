// Records the figure beside the window.
#pragma once

#include <string>
#include <utility>

#include "app/gui/background/background_job.h"
#include "app/gui/background/engine_source.h"
#include "app/gui/state/app_state.h"

namespace ropescope::gui {

/// When it is destroyed, a recording ends after the frame that is under way and writes nothing.
class FigureRecorder {
  public:
    explicit FigureRecorder(EngineSource source = EngineSource()) : engines_(std::move(source)) {}

    /// From now on the state can start recordings. `wake` as for BackgroundJob; both outlive this.
    void serve(AppState& state, void (*wake)());
    /// Called once a frame. Says how far a recording is, where it was written, or why it was not.
    void update(AppState& state);

  private:
    void start(AppState& state, const RecordingOrder& order, void (*wake)());

    ThreadEngines engines_;
    std::string path_;           ///< of the recording that was started last
    BackgroundJob<double> job_;  ///< its share that is done; last: it ends before what it uses
};

}  // namespace ropescope::gui
