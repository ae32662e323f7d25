// Compares the figure on the GPU with the same on the CPU: largest difference and times.
#pragma once

#include <cstdint>
#include <optional>

#include "app/gui/background/background_job.h"
#include "app/gui/background/engine_source.h"
#include "app/gui/state/app_state.h"

namespace ropescope::gui {

class EngineComparer {
  public:
    explicit EngineComparer(EngineSource source) : engines_(std::move(source)) {}

    /// Called once a frame. When a figure of the GPU has come to rest, computes it once more on
    /// each engine and puts the result, or why there is none, into the state. `wake` as for
    /// BackgroundJob.
    void update(AppState& state, void (*wake)());

  private:
    struct Compared {
        std::uint64_t figure = 0;  ///< ShownFigure::count when the job began
        std::optional<EngineComparison> result;
    };
    void take_over(AppState& state);

    ThreadEngines engines_;
    figures::FigureCache cache_;   ///< shares the results of ShownFigure::cache
    std::uint64_t started_ = 0;    ///< the figure of the job; 0: none yet
    BackgroundJob<Compared> job_;  ///< last: it ends before the engines it uses
};

}  // namespace ropescope::gui
