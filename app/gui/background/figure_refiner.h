// The figures that a frame has no time for, computed beside the window and swapped in whole.
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

    /// Starts on the draft that is shown, cancels work whose draft is no longer shown, and takes
    /// over finished pictures. `wake` as for BackgroundJob. Once a frame.
    void update(AppState& state, void (*wake)());

  private:
    struct Refined {
        std::uint64_t draft = 0;  ///< ShownFigure::drafts when it was begun
        std::optional<double> done = {};
        bool whole = false;
        std::optional<figures::Picture> picture = {};  ///< none: it could not be made
    };
    void take_over(AppState& state);

    ThreadEngines engine_;
    figures::FigureCache cache_;  ///< shares the results of ShownFigure::cache
    std::uint64_t started_ = 0;   ///< the draft that the job is about; 0: none
    BackgroundJob<Refined> job_;  ///< last: it ends before what it uses
};

}  // namespace ropescope::gui
