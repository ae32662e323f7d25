// The switch between CPU and GPU: opens the GPU on another thread and says how that went.
#pragma once

#include <memory>
#include <string>

#include "app/gui/background/background_job.h"
#include "app/gui/background/engine_source.h"
#include "app/gui/state/app_state.h"

namespace ropescope::gui {

class GpuSwitch {
  public:
    /// `gpu`: the GPU's engine if it is already open.
    explicit GpuSwitch(EngineSource source, std::unique_ptr<Engine> gpu = {});

    /// The engine of the first frame.
    Engine& engine() const { return gpu_ ? *gpu_ : *cpu_; }

    /// Called once a frame. Opens the GPU the first time the user asks for it, then keeps
    /// state.engine in step with the switch as long as the GPU works. `wake` as for BackgroundJob.
    void update(AppState& state, void (*wake)());

  private:
    using Opened = std::shared_ptr<Engine>;
    void look_for_gpu(EngineState& engines, void (*wake)());
    void take_over(AppState& state, BackgroundJob<Opened>::Message message);
    void give_up(AppState& state, std::string line);

    EngineSource source_;
    std::shared_ptr<Engine> cpu_, gpu_;
    BackgroundJob<Opened> job_;
};

}  // namespace ropescope::gui
