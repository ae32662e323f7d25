// The CPU's engine under another class, for tests that change one thing about it.
#pragma once

#include <memory>
#include <string>

#include "core/engine/engine.h"

namespace ropescope::test {

class ForwardingEngine : public Engine {
  public:
    EngineKind kind() const override { return cpu_->kind(); }
    std::string device() const override { return cpu_->device(); }
    RotationTable table(const Spectrum& spectrum, std::int64_t first_position,
                        std::int64_t count) override {
        return cpu().table(spectrum, first_position, count);
    }
    RotationTable table(const Spectrum& spectrum,
                        std::span<const std::int64_t> positions) override {
        return cpu().table(spectrum, positions);
    }
    RotationTable table(const Spectrum& spectrum, const AxisPositions& positions) override {
        return cpu().table(spectrum, positions);
    }
    void rotate_in_place(TensorView<float> x, const RotationTableView& table,
                         const RotateOptions& options) override {
        cpu().rotate_in_place(x, table, options);
    }
    PairCurves pair_curves(const Spectrum& spectrum, std::span<const std::int64_t> distances,
                           const PairWeights& weights) override {
        return cpu().pair_curves(spectrum, distances, weights);
    }
    std::unique_ptr<TensorOps> tensor_ops() override { return cpu().tensor_ops(); }

  private:
    /// Every call begins here.
    virtual Engine& cpu() { return *cpu_; }

  protected:
    std::unique_ptr<Engine> cpu_ = make_cpu_engine(1);
};

}  // namespace ropescope::test
