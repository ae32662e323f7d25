// How long one waits for an engine.
#pragma once

#include <memory>

#include "core/engine/routed_engine.h"

namespace ropescope {

/// Another engine's work, and how long its callers waited for it, results included. Used by one
/// thread at a time, and not longer than `engine` lives.
class TimedEngine final : public RoutedEngine {
  public:
    explicit TimedEngine(Engine& engine);

    std::int64_t calls() const { return clock_->calls; }
    double seconds() const { return clock_->seconds; }

    std::string name() const override { return engine_.name(); }
    std::string device() const override { return engine_.device(); }
    bool drawable() const override { return engine_.drawable(); }
    std::unique_ptr<TensorOps> tensor_ops() override;

  private:
    struct Clock {
        std::int64_t calls = 0;
        double seconds = 0.0;
    };
    class Stopwatch;

    void route(const std::function<void(Engine&)>& work) override;

    Engine& engine_;
    std::shared_ptr<Clock> clock_ = std::make_shared<Clock>();
};

}  // namespace ropescope
