// How long one waits for an engine.
#pragma once

#include <memory>

#include "core/engine/engine.h"

namespace ropescope {

/// Another engine's work, and how long its callers waited for it, results included. Used by one
/// thread at a time, and not longer than `engine` lives.
class TimedEngine final : public Engine {
  public:
    explicit TimedEngine(Engine& engine);

    std::int64_t calls() const { return clock_->calls; }
    double seconds() const { return clock_->seconds; }

    std::string name() const override { return engine_.name(); }
    std::string device() const override { return engine_.device(); }
    RotationTable table(const Spectrum& spectrum, std::int64_t first_position,
                        std::int64_t count) override;
    RotationTable table(const Spectrum& spectrum, std::span<const std::int64_t> positions) override;
    void rotate_in_place(TensorView<float> x, const RotationTableView& table,
                         const RotateOptions& options) override;
    PairCurves pair_curves(const Spectrum& spectrum, std::span<const std::int64_t> distances,
                           const PairWeights& weights) override;
    std::unique_ptr<TensorOps> tensor_ops() override;

  private:
    struct Clock {
        std::int64_t calls = 0;
        double seconds = 0.0;
    };
    class Stopwatch;

    Engine& engine_;
    std::shared_ptr<Clock> clock_ = std::make_shared<Clock>();
};

}  // namespace ropescope
