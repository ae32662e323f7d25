// Opens the window's engines: the frame and each thread beside it have engines of their own.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/engine/dispatched_engine.h"

namespace ropescope::gui {

/// Copies share one state. Any thread may call it.
class EngineSource {
  public:
    /// Opens a GPU engine with this fallback. Throws CapabilityError if there is no GPU.
    using Open = std::function<std::unique_ptr<Engine>(Fallback)>;

    /// Without `open_gpu` the source has no GPU.
    explicit EngineSource(Open open_gpu = {});

    /// `threads` as in make_cpu_engine(); with 1 the window keeps the other processors.
    std::unique_ptr<Engine> cpu(int threads) const;
    /// If the engine fails, the CPU takes over and lost() says why. Throws CapabilityError.
    std::unique_ptr<Engine> gpu() const;
    /// Why a GPU engine was given up, in one line; "" if none was.
    std::string lost() const;
    /// Gives up the GPU for the whole window; the first reason stays.
    void give_up(const std::string& line) const;

  private:
    struct Shared;
    std::shared_ptr<Shared> shared_;
};

/// The engines of one thread beside the window, opened when first needed and then kept. One thread
/// at a time may use them.
class ThreadEngines {
  public:
    explicit ThreadEngines(EngineSource source) : source_(std::move(source)) {}

    Engine& cpu();
    /// Null if this thread gets no GPU, because a device may allow only a few contexts. If the
    /// engine fails, the CPU takes over; callers that report what the GPU did must look at kind()
    /// afterwards.
    Engine* gpu();
    /// The engine of the kind that the window uses. If this thread gets no GPU, the window gives up
    /// its own; otherwise it would say GPU and show what the CPU computed.
    Engine& of_window(EngineKind kind);

  private:
    EngineSource source_;
    std::string refused_;  ///< why gpu() returned null
    std::unique_ptr<Engine> cpu_, gpu_;
};

}  // namespace ropescope::gui
