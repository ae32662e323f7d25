// The switch between the engines: opens the GPU's beside the window, and says what it made of it.
#pragma once

#include <memory>
#include <string>

#include "app/gui/app_state.h"
#include "app/gui/background/background_job.h"
#include "app/gui/background/engine_source.h"

namespace ropescope::gui {

class EngineDesk {
  public:
    /// `gpu`: where it is open already.
    explicit EngineDesk(EngineSource source, std::unique_ptr<Engine> gpu = {});

    /// What the first frame computes with.
    Engine& engine() const { return gpu_ ? *gpu_ : *cpu_; }

    /// Looks for a GPU when it is wished for the first time; then the state's engine is the one
    /// that the switch asks for, as long as it can be had. `wake` as for BackgroundJob. Once a
    /// frame.
    void update(AppState& state, void (*wake)());

  private:
    struct Opened {
        std::shared_ptr<Engine> engine;
        std::string why_not;
    };
    void look_for_gpu(EngineState& engines, void (*wake)());
    void take_over(AppState& state, Opened opened);
    void give_up(AppState& state, std::string line);

    EngineSource source_;
    std::shared_ptr<Engine> cpu_, gpu_;
    BackgroundJob<Opened> job_;
};

}  // namespace ropescope::gui
