// Opens engines for the window and its threads, and remembers why the GPU was given up.
#include "app/gui/background/engine_source.h"

#include <fmt/format.h>
#include <mutex>

#include "core/base/error.h"

namespace ropescope::gui {

struct EngineSource::Shared {
    Open open_gpu;
    std::mutex mutex;
    std::string lost;  ///< under mutex

    void lose(const std::string& line) {
        const std::lock_guard lock(mutex);
        lost = lost.empty() ? line : lost;
    }
};

EngineSource::EngineSource(Open open_gpu) : shared_(std::make_shared<Shared>()) {
    shared_->open_gpu = std::move(open_gpu);
}

std::unique_ptr<Engine> EngineSource::cpu(int threads) const {
    return make_cpu_engine(threads);
}

std::unique_ptr<Engine> EngineSource::gpu() const {
    if (!shared_->open_gpu) {
        throw CapabilityError(
            "GPU: this window was opened without one; start `ropescope --engine gpu` on a machine "
            "with OpenGL 4.3 through EGL");
    }
    return shared_->open_gpu(
        {.engine = make_cpu_engine(),
         .tell = [shared = shared_](const std::string& line) { shared->lose(line); }});
}

std::string EngineSource::lost() const {
    const std::lock_guard lock(shared_->mutex);
    return shared_->lost;
}

void EngineSource::give_up(const std::string& line) const {
    shared_->lose(line);
}

Engine& ThreadEngines::cpu() {
    if (!cpu_) {
        cpu_ = source_.cpu(1);  // the window keeps the other processors
    }
    return *cpu_;
}

Engine* ThreadEngines::gpu() {
    if (!gpu_ && source_.lost().empty()) {
        try {
            gpu_ = source_.gpu();
        } catch (const CapabilityError& error) {
            refused_ = error.what();
        }
    }
    return gpu_ && gpu_->kind() == EngineKind::gpu ? gpu_.get() : nullptr;
}

Engine& ThreadEngines::of_window(EngineKind kind) {
    if (kind == EngineKind::cpu) {
        return cpu();
    }
    if (Engine* own = gpu()) {
        return *own;
    }
    source_.give_up(fmt::format("computing on the CPU from here on: {}", refused_));
    return cpu();
}

}  // namespace ropescope::gui
