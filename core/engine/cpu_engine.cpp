// The engine that computes on the processor.
#include <algorithm>
#include <fmt/format.h>

#include "core/analysis/turns.h"
#include "core/base/parallel.h"
#include "core/base/processors.h"
#include "core/engine/cpu_tensor_ops.h"
#include "core/engine/dispatched_engine.h"

namespace ropescope {
namespace {

/// Whether each distance is the one before plus 1, and there are enough of them.
bool is_run(std::span<const std::int64_t> distances) {
    constexpr std::size_t kWorthwhile = 64;  // fewer do not pay for what a run computes once
    return distances.size() >= kWorthwhile &&
           std::ranges::adjacent_find(distances, [](std::int64_t a, std::int64_t b) {
               return b != a + 1;
           }) == distances.end();
}

PairCurves zeros(std::size_t count) {
    PairCurves curves;
    curves.even.resize(count);
    curves.odd.resize(count);
    curves.moduli.resize(count);
    return curves;
}

void place(PairCurves& curves, std::int64_t from, const PairCurves& part) {
    std::ranges::copy(part.even, curves.even.begin() + from);
    std::ranges::copy(part.odd, curves.odd.begin() + from);
    std::ranges::copy(part.moduli, curves.moduli.begin() + from);
}

class CpuEngine final : public Engine {
  public:
    explicit CpuEngine(int threads) : threads_(threads > 0 ? threads : default_threads()) {}

    EngineKind kind() const override { return EngineKind::cpu; }
    std::string device() const override {
        return fmt::format("{}, {} thread{}", processor_name(), threads_, threads_ == 1 ? "" : "s");
    }

    RotationTable table(const Spectrum& spectrum, std::int64_t first_position,
                        std::int64_t count) override {
        return make_rotation_table(spectrum, first_position, count, threads_);
    }

    RotationTable table(const Spectrum& spectrum,
                        std::span<const std::int64_t> positions) override {
        return make_rotation_table(spectrum, positions, threads_);
    }

    RotationTable table(const Spectrum& spectrum, const AxisPositions& positions) override {
        return make_rotation_table(spectrum, positions, threads_);
    }

    void rotate_in_place(TensorView<float> x, const RotationTableView& table,
                         const RotateOptions& options) override {
        RotateOptions own = options;
        own.threads = options.threads > 0 ? options.threads : threads_;
        ropescope::rotate_in_place(x, table, own);
    }

    PairCurves pair_curves(const Spectrum& spectrum, std::span<const std::int64_t> distances,
                           const PairWeights& weights) override {
        for (const std::int64_t distance : distances) {
            validate_position(distance);
        }
        const bool run = is_run(distances);
        PairCurves curves = zeros(distances.size());
        parallel_for(
            std::ssize(distances), kTurnBlock, threads_, [&](std::int64_t begin, std::int64_t end) {
                const auto part = distances.subspan(begin, end - begin);
                place(curves, begin,
                      run ? pair_curves_run(spectrum, part.front(), std::ssize(part), weights)
                          : ropescope::pair_curves(spectrum, part, weights));
            });
        return curves;
    }

    std::unique_ptr<TensorOps> tensor_ops() override { return make_cpu_tensor_ops(threads_); }

  private:
    int threads_;
};

}  // namespace

std::unique_ptr<Engine> make_cpu_engine(int threads) {
    return make_dispatched_engine(std::make_unique<CpuEngine>(threads));
}

}  // namespace ropescope
