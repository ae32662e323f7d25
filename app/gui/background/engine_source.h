// Where the window's engines come from: the frame and every thread beside it have one of their own.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/engine/engine.h"

namespace ropescope::gui {

/// Copies are the same source. Safe from any thread.
class EngineSource {
  public:
    /// Throws CapabilityError where there is no GPU.
    using Open = std::function<std::unique_ptr<Engine>()>;

    /// Without `open_gpu` there is none.
    explicit EngineSource(Open open_gpu = {});

    /// On one thread where it is to leave the window a processor; 0: on all.
    std::unique_ptr<Engine> cpu(int threads) const;
    /// The CPU stands in for it when it fails, and lost() tells. Throws CapabilityError.
    std::unique_ptr<Engine> gpu() const;
    /// Why a GPU engine was given up, in one line; "" where none was.
    std::string lost() const;
    /// Gives up the GPU for all of the window; the first reason stays.
    void give_up(const std::string& line) const;

  private:
    struct Shared;
    std::shared_ptr<Shared> shared_;
};

/// What a thread beside the window computes with, kept from one piece of work to the next.
class WorkerEngine {
  public:
    explicit WorkerEngine(EngineSource source) : source_(std::move(source)) {}

    // All by one thread at a time.
    Engine& cpu();
    /// Null where this thread gets none: a device may give only so many. The CPU stands in for it
    /// when it fails, so whoever says what the GPU did asks on_gpu() afterwards.
    Engine* gpu();
    /// What the window computes on. Where it is the GPU and this thread gets none, the window gives
    /// it up: it would say GPU and show the CPU's.
    Engine& of_window(bool gpu);

  private:
    EngineSource source_;
    std::string refused_;  ///< why gpu() was null
    std::unique_ptr<Engine> cpu_, gpu_;
};

/// Whether it is the GPU's, and the CPU does not stand in for it.
bool on_gpu(const Engine& engine);

}  // namespace ropescope::gui
