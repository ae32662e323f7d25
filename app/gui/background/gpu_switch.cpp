// Keeps the engine of the window in step with the switch between CPU and GPU.
#include "app/gui/background/gpu_switch.h"

#include <utility>
#include <variant>

namespace ropescope::gui {

GpuSwitch::GpuSwitch(EngineSource source, std::unique_ptr<Engine> gpu)
    : source_(std::move(source)), cpu_(source_.cpu(0)), gpu_(std::move(gpu)) {}

void GpuSwitch::update(AppState& state, void (*wake)()) {
    look_for_gpu(state.engines, wake);
    if (auto message = job_.take()) {
        take_over(state, *std::move(message));
    }
    if (const std::string lost = source_.lost();
        !lost.empty() && state.engines.gpu == EngineState::Gpu::ready) {
        give_up(state, lost);
    }
    const bool gpu = state.engines.gpu == EngineState::Gpu::ready && state.engines.gpu_wanted;
    state.engine = gpu ? gpu_.get() : cpu_.get();
}

void GpuSwitch::look_for_gpu(EngineState& engines, void (*wake)()) {
    if (engines.gpu != EngineState::Gpu::unknown) {
        return;
    }
    if (gpu_) {
        engines.gpu = EngineState::Gpu::ready;
        engines.gpu_device = gpu_->device();
        return;
    }
    if (!engines.gpu_wanted) {
        return;  // even an unused context costs memory and time
    }
    engines.gpu = EngineState::Gpu::opening;
    job_.start([source = source_](const std::stop_token&,
                                  const BackgroundJob<Opened>::Tell& tell) { tell(source.gpu()); },
               wake);
}

void GpuSwitch::take_over(AppState& state, BackgroundJob<Opened>::Message message) {
    if (auto* failure = std::get_if<Failure>(&message)) {
        return give_up(state, std::move(failure->why));
    }
    gpu_ = std::move(std::get<Opened>(message));
    state.engines.gpu = EngineState::Gpu::ready;
    state.engines.gpu_device = gpu_->device();
}

void GpuSwitch::give_up(AppState& state, std::string line) {
    EngineState& engines = state.engines;
    engines.gpu = EngineState::Gpu::none;
    engines.comparison.reset();
    if (std::exchange(engines.gpu_wanted, false)) {
        state.error = line;
    }
    engines.why_not = std::move(line);
}

}  // namespace ropescope::gui
