#include "core/engine/timed_engine.h"

#include <chrono>

#include "core/engine/relayed_ops.h"

namespace ropescope {

class TimedEngine::Stopwatch final : public Relay {
  public:
    explicit Stopwatch(std::shared_ptr<Clock> clock) : clock_(std::move(clock)) {}

    void now(const std::function<void()>& call) override {
        const Running running(*clock_);
        call();
    }
    void in_order(std::function<void()> call) override { now(call); }

  private:
    /// From here to the end of the block, also where that is an exception.
    class Running {
      public:
        explicit Running(Clock& clock) : clock_(clock) { ++clock_.calls; }
        ~Running() {
            const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - began_;
            clock_.seconds += passed.count();
        }
        Running(const Running&) = delete;
        Running& operator=(const Running&) = delete;

      private:
        Clock& clock_;
        std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    };

    std::shared_ptr<Clock> clock_;
};

TimedEngine::TimedEngine(Engine& engine) : engine_(engine) {}

void TimedEngine::route(const std::function<void(Engine&)>& work) {
    Stopwatch(clock_).now([&] { work(engine_); });
}

std::unique_ptr<TensorOps> TimedEngine::tensor_ops() {
    return make_relayed_ops(engine_.tensor_ops(), std::make_shared<Stopwatch>(clock_));
}

}  // namespace ropescope
