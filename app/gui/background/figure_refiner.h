// Computes figures for which a frame has no time, beside the window, and shows them when they are
// whole.
#pragma once

#include <cstdint>
#include <optional>

#include "app/gui/background/background_job.h"
#include "app/gui/background/engine_source.h"
#include "app/gui/state/app_state.h"

namespace ropescope::gui {

class FigureRefiner {
  public:
    explicit FigureRefiner(EngineSource source = EngineSource()) : engine_(std::move(source)) {}

    /// Called once a frame. Starts on the draft that is shown, cancels work whose draft is no
    /// longer shown, and shows finished pictures. `wake` as for BackgroundJob.
    void update(AppState& state, void (*wake)());

  private:
    struct Refined {
        std::uint64_t draft = 0;  ///< ShownFigure::drafts when the job began
        std::optional<double> done = {};
        bool whole = false;
        std::optional<figures::Picture> picture = {};  ///< empty if it could not be made
    };
    void take_over(AppState& state);

    ThreadEngines engine_;
    figures::FigureCache cache_;  ///< shares the results of ShownFigure::cache
    std::uint64_t started_ = 0;   ///< the draft that the job is about; 0: none
    BackgroundJob<Refined> job_;  ///< last: it ends before what it uses
};

}  // namespace ropescope::gui
