// An engine that dies.
#pragma once

#include <memory>
#include <string>

#include "core/base/error.h"
#include "core/engine/routed_engine.h"

namespace ropescope::test {

/// Calls itself the GPU and is the CPU, until `calls` calls are used up; then it is a lost device.
class MortalEngine final : public RoutedEngine {
  public:
    static constexpr int kForEver = -1;
    explicit MortalEngine(int calls = kForEver) : calls_(calls) {}

    std::string name() const override { return "gpu"; }
    std::string device() const override { return "a device that dies"; }
    std::unique_ptr<TensorOps> tensor_ops() override {
        live();
        return sound_->tensor_ops();
    }

  private:
    void route(const std::function<void(Engine&)>& work) override {
        live();
        work(*sound_);
    }
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
