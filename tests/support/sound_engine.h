// The processor's engine under another class, for tests that change one thing about it.
#pragma once

#include <memory>
#include <string>

#include "core/engine/routed_engine.h"

namespace ropescope::test {

class SoundEngine : public RoutedEngine {
  public:
    std::string name() const override { return sound_->name(); }
    std::string device() const override { return sound_->device(); }
    std::unique_ptr<TensorOps> tensor_ops() override { return sound_->tensor_ops(); }

  private:
    void route(const std::function<void(Engine&)>& work) override { work(*sound_); }
    std::unique_ptr<Engine> sound_ = make_cpu_engine(1);
};

}  // namespace ropescope::test
