// An engine that dies.
#pragma once

#include <memory>
#include <string>

#include "core/base/error.h"
#include "core/engine/engine.h"

namespace ropescope::test {

/// Calls itself the GPU and is the CPU, until `calls` calls are used up; then it is a lost device.
class MortalEngine final : public Engine {
  public:
    static constexpr int kForEver = -1;
    explicit MortalEngine(int calls = kForEver) : calls_(calls) {}

    std::string name() const override { return "gpu"; }
    std::string device() const override { return "a device that dies"; }
    RotationTable table(const Spectrum& spectrum, std::int64_t first_position,
                        std::int64_t count) override {
        live();
        return sound_->table(spectrum, first_position, count);
    }
    RotationTable table(const Spectrum& spectrum,
                        std::span<const std::int64_t> positions) override {
        live();
        return sound_->table(spectrum, positions);
    }
    void rotate_in_place(TensorView<float> x, const RotationTableView& table,
                         const RotateOptions& options) override {
        live();
        sound_->rotate_in_place(x, table, options);
    }
    PairCurves pair_curves(const Spectrum& spectrum, std::span<const std::int64_t> distances,
                           const PairWeights& weights) override {
        live();
        return sound_->pair_curves(spectrum, distances, weights);
    }
    std::unique_ptr<TensorOps> tensor_ops() override {
        live();
        return sound_->tensor_ops();
    }

  private:
    void live() {
        if (calls_ == 0) {
            throw CapabilityError("GPU: the context was lost");
        }
        calls_ -= calls_ > 0 ? 1 : 0;
    }
    int calls_;
    std::unique_ptr<Engine> sound_ = make_cpu_engine(1);
};

}  // namespace ropescope::test
