// An engine that fails after some calls, as a lost device does.
#pragma once

#include <memory>
#include <string>

#include "core/engine/dispatched_engine.h"
#include "tests/support/forwarding_engine.h"

namespace ropescope::test {

/// Calls itself the GPU and is the CPU, for `calls` calls; then every call reports a lost device.
class FailingEngine final : public ForwardingEngine {
  public:
    static constexpr int kNever = -1;
    explicit FailingEngine(int calls = kNever) : calls_(calls) {}

    EngineKind kind() const override { return EngineKind::gpu; }
    std::string device() const override { return "a device that fails"; }

  private:
    Engine& cpu() override {
        if (calls_ == 0) {
            throw CapabilityError("GPU: the context was lost");
        }
        calls_ -= calls_ > 0 ? 1 : 0;
        return *cpu_;
    }
    int calls_;
};

inline std::unique_ptr<Engine> make_failing_engine(int calls, Fallback fallback) {
    return make_dispatched_engine(std::make_unique<FailingEngine>(calls),
                                  {.fallback = std::move(fallback)});
}

}  // namespace ropescope::test
