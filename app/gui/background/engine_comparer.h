// What the GPU shows beside what the CPU would: the largest difference, and how long each takes.
#pragma once

#include <cstdint>
#include <optional>

#include "app/gui/app_state.h"
#include "app/gui/background/background_job.h"
#include "app/gui/background/engine_source.h"

namespace ropescope::gui {

class EngineComparer {
  public:
    explicit EngineComparer(EngineSource source) : engines_(std::move(source)) {}

    /// Computes the figure that the GPU has made once more on each engine, when it has come to
    /// rest, and tells the state. `wake` as for BackgroundJob. Once a frame.
    void update(AppState& state, void (*wake)());

  private:
    struct Compared {
        std::uint64_t figure = 0;  ///< ShownFigure::count when it was begun
        std::optional<EngineComparison> result;
    };
    WorkerEngine engines_;
    std::uint64_t started_ = 0;    ///< the figure that the job is about; 0: none yet
    BackgroundJob<Compared> job_;  ///< last: it ends before the engines it uses
};

}  // namespace ropescope::gui
