// Computes figures for which a frame has no time, beside the window, and shows them when they are
// whole.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "app/gui/background/background_job.h"
#include "app/gui/background/engine_source.h"
#include "app/gui/state/app_state.h"

namespace ropescope::gui {

class FigureRefiner {
  public:
    /// Makes the whole picture; figures::make_picture, but in tests.
    using Make =
        std::function<figures::Picture(const Scene& scene, Engine& engine, const figures::Work&)>;
    explicit FigureRefiner(EngineSource source = EngineSource(), Make make = figures::make_picture)
        : engine_(std::move(source)), make_(std::move(make)) {}

    /// Called once a frame. Starts on the draft that is shown, cancels work whose draft is no
    /// longer shown, shows finished pictures, and says in the figure's place why one could not be
    /// made. `wake` as for BackgroundJob.
    void update(AppState& state, void (*wake)());

  private:
    struct Refined {
        std::uint64_t draft = 0;  ///< ShownFigure::drafts when the job began
        std::optional<double> done = {};
        std::optional<figures::Picture> picture = {};  ///< once it is whole
    };
    void take_over(AppState& state);

    ThreadEngines engine_;
    Make make_;
    figures::FigureCache cache_;  ///< shares the results of ShownFigure::cache
    std::uint64_t started_ = 0;   ///< the draft that the job is about; 0: none
    BackgroundJob<Refined> job_;  ///< last: it ends before what it uses
};

}  // namespace ropescope::gui
