#include "core/engine/timed_engine.h"

#include <chrono>
#include <type_traits>

#include "core/engine/relayed_ops.h"

namespace ropescope {

class TimedEngine::Stopwatch final : public Relay {
  public:
    explicit Stopwatch(std::shared_ptr<Clock> clock) : clock_(std::move(clock)) {}

    template <typename Call>
    std::invoke_result_t<Call> time(const Call& call) {
        const Running running(*clock_);
        return call();
    }
    void now(const std::function<void()>& call) override { time(call); }
    void in_order(std::function<void()> call) override { time(call); }

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

RotationTable TimedEngine::table(const Spectrum& spectrum, std::int64_t first_position,
                                 std::int64_t count) {
    return Stopwatch(clock_).time([&] { return engine_.table(spectrum, first_position, count); });
}

RotationTable TimedEngine::table(const Spectrum& spectrum,
                                 std::span<const std::int64_t> positions) {
    return Stopwatch(clock_).time([&] { return engine_.table(spectrum, positions); });
}

void TimedEngine::rotate_in_place(TensorView<float> x, const RotationTableView& table,
                                  const RotateOptions& options) {
    Stopwatch(clock_).time([&] { engine_.rotate_in_place(x, table, options); });
}

PairCurves TimedEngine::pair_curves(const Spectrum& spectrum,
                                    std::span<const std::int64_t> distances,
                                    const PairWeights& weights) {
    return Stopwatch(clock_).time(
        [&] { return engine_.pair_curves(spectrum, distances, weights); });
}

std::unique_ptr<TensorOps> TimedEngine::tensor_ops() {
    return make_relayed_ops(engine_.tensor_ops(), std::make_shared<Stopwatch>(clock_));
}

}  // namespace ropescope
