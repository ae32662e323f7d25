// Sends the calls to an engine and its tensor operations to a thread, a clock and a fallback.
#include "core/engine/dispatched_engine.h"

#include <atomic>
#include <chrono>
#include <fmt/format.h>
#include <type_traits>
#include <utility>
#include <vector>

namespace ropescope {
namespace {

/// What every call passes, to the engine itself or to tensor operations that it made.
class Path {
  public:
    Path(std::shared_ptr<CallThread> thread, std::function<void(const std::string& line)> tell)
        : thread_(std::move(thread)), tell_(std::move(tell)) {}

    bool failed() const { return failed_; }
    EngineTime time() const { return {calls_, seconds_}; }

    /// Returns when `call` is done.
    void run(const std::function<void()>& call) {
        watch([&] { thread_ ? thread_->run(call) : call(); });
    }
    /// With a thread: returns at once, and an error of `call` appears in a later run().
    void post(std::function<void()> call) {
        watch([&] { thread_ ? thread_->post(std::move(call)) : call(); });
    }
    /// The last call of an owner that is being destroyed: errors of earlier calls are dropped.
    void finish(const std::function<void()>& call) {
        if (!thread_) {
            return call();
        }
        try {
            thread_->run(call);
        } catch (...) {
            thread_->run(call);
        }
    }

  private:
    class Stopwatch {
      public:
        explicit Stopwatch(Path& path) : path_(path) { ++path_.calls_; }
        ~Stopwatch() {
            const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - began_;
            path_.seconds_ += passed.count();
        }
        Stopwatch(const Stopwatch&) = delete;
        Stopwatch& operator=(const Stopwatch&) = delete;

      private:
        Path& path_;
        std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    };

    template <typename Call>
    void watch(const Call& call) {
        const Stopwatch running(*this);
        try {
            call();
        } catch (const CapabilityError& error) {
            if (!failed_.exchange(true) && tell_) {
                tell_(fmt::format("computing on the CPU from here on: {}", error.what()));
            }
            throw;
        }
    }

    std::shared_ptr<CallThread> thread_;
    std::function<void(const std::string& line)> tell_;
    std::atomic<bool> failed_ = false;
    std::atomic<std::int64_t> calls_ = 0;
    std::atomic<double> seconds_ = 0.0;
};

/// Posted calls hold their arguments by value: they may run after the caller has gone on.
class DispatchedOps final : public TensorOps {
  public:
    DispatchedOps(std::unique_ptr<TensorOps> ops, std::shared_ptr<Path> path)
        : path_(std::move(path)), ops_(std::move(ops)) {}
    ~DispatchedOps() override {
        path_->finish([this] { ops_.reset(); });
    }
    DispatchedOps(const DispatchedOps&) = delete;
    DispatchedOps& operator=(const DispatchedOps&) = delete;

    DeviceTensor make(std::int64_t rows, std::int64_t columns) override {
        // Needs no thread: the first operation that uses a tensor allocates its memory.
        return ops_->make(rows, columns);
    }
    DeviceTensor upload(const HostFloats& values, std::int64_t rows,
                        std::int64_t columns) override {
        return result_of([&] { return ops_->upload(values, rows, columns); });
    }
    DeviceTensor upload_weight(const HostFloats& values, std::int64_t rows,
                               std::int64_t columns) override {
        return result_of([&] { return ops_->upload_weight(values, rows, columns); });
    }
    HostFloats download(const DeviceTensor& tensor) override {
        return result_of([&] { return ops_->download(tensor); });
    }
    void publish(const DeviceTensor& tensor) override {
        path_->run([&] { ops_->publish(tensor); });
    }
    DeviceRotation table(const Spectrum& spectrum, std::span<const std::int64_t> positions,
                         Layout layout) override {
        return result_of([&] { return ops_->table(spectrum, positions, layout); });
    }
    void gather(const DeviceTensor& table, std::span<const std::int64_t> ids,
                const DeviceTensor& out) override {
        path_->post([this, table, own = std::vector<std::int64_t>(ids.begin(), ids.end()), out] {
            ops_->gather(table, own, out);
        });
    }
    void gemm(const DeviceTensor& x, const Linear& linear, Activation activation,
              const DeviceTensor& out) override {
        path_->post([this, x, linear, activation, out] { ops_->gemm(x, linear, activation, out); });
    }
    void layer_norm(const DeviceTensor& x, const Norm& norm, const DeviceTensor& out) override {
        path_->post([this, x, norm, out] { ops_->layer_norm(x, norm, out); });
    }
    void add(const DeviceTensor& a, const DeviceTensor& b, const DeviceTensor& out) override {
        path_->post([this, a, b, out] { ops_->add(a, b, out); });
    }
    void rotate(const DeviceTensor& x, std::int64_t heads,
                const DeviceRotation& rotation) override {
        path_->post([this, x, heads, rotation] { ops_->rotate(x, heads, rotation); });
    }
    void attention(const AttentionInputs& inputs, const AttentionOutputs& outputs) override {
        path_->post([this, inputs, outputs] { ops_->attention(inputs, outputs); });
    }

  private:
    template <typename Call>
    std::invoke_result_t<Call> result_of(const Call& call) {
        std::invoke_result_t<Call> result;
        path_->run([&] { result = call(); });
        return result;
    }

    std::shared_ptr<Path> path_;
    std::unique_ptr<TensorOps> ops_;
};

class DispatchedEngine final : public Engine {
  public:
    DispatchedEngine(std::unique_ptr<Engine> engine, Dispatch dispatch)
        : engine_(std::move(engine)),
          fallback_(std::move(dispatch.fallback.engine)),
          drawable_(dispatch.drawable),
          path_(std::make_shared<Path>(std::move(dispatch.thread),
                                       std::move(dispatch.fallback.tell))) {}
    ~DispatchedEngine() override {
        path_->finish([this] { engine_.reset(); });
    }
    DispatchedEngine(const DispatchedEngine&) = delete;
    DispatchedEngine& operator=(const DispatchedEngine&) = delete;

    EngineKind kind() const override { return serving().kind(); }
    std::string name() const override { return serving().name(); }
    std::string device() const override { return serving().device(); }
    bool drawable() const override { return fell_back() ? fallback_->drawable() : drawable_; }
    EngineTime time() const override {
        return fallback_ ? path_->time() + fallback_->time() : path_->time();
    }

    RotationTable table(const Spectrum& spectrum, std::int64_t first_position,
                        std::int64_t count) override {
        return result_of(
            [&](Engine& engine) { return engine.table(spectrum, first_position, count); });
    }
    RotationTable table(const Spectrum& spectrum,
                        std::span<const std::int64_t> positions) override {
        return result_of([&](Engine& engine) { return engine.table(spectrum, positions); });
    }
    RotationTable table(const Spectrum& spectrum, const AxisPositions& positions) override {
        return result_of([&](Engine& engine) { return engine.table(spectrum, positions); });
    }
    void rotate_in_place(TensorView<float> x, const RotationTableView& table,
                         const RotateOptions& options) override {
        call([&](Engine& engine) { engine.rotate_in_place(x, table, options); });
    }
    PairCurves pair_curves(const Spectrum& spectrum, std::span<const std::int64_t> distances,
                           const PairWeights& weights) override {
        return result_of(
            [&](Engine& engine) { return engine.pair_curves(spectrum, distances, weights); });
    }
    std::unique_ptr<TensorOps> tensor_ops() override {
        std::unique_ptr<TensorOps> ops;
        call([&](Engine& engine) {
            ops = engine.tensor_ops();
            if (&engine == engine_.get()) {
                ops = std::make_unique<DispatchedOps>(std::move(ops), path_);
            }
        });
        return ops;
    }

  private:
    bool fell_back() const { return fallback_ && path_->failed(); }
    Engine& serving() const { return fell_back() ? *fallback_ : *engine_; }

    /// Calls `work` with the engine that serves; again with the fallback if the first engine fails.
    /// The fallback has a clock of its own.
    void call(const std::function<void(Engine&)>& work) {
        if (!fell_back()) {
            try {
                return path_->run([&] { work(*engine_); });
            } catch (const CapabilityError&) {
                if (!fallback_) {
                    throw;
                }
            }
        }
        work(*fallback_);
    }
    template <typename Work>
    std::invoke_result_t<Work, Engine&> result_of(const Work& work) {
        std::invoke_result_t<Work, Engine&> result;
        call([&](Engine& engine) { result = work(engine); });
        return result;
    }

    std::unique_ptr<Engine> engine_;
    std::unique_ptr<Engine> fallback_;
    bool drawable_;
    std::shared_ptr<Path> path_;
};

}  // namespace

std::unique_ptr<Engine> make_dispatched_engine(std::unique_ptr<Engine> engine, Dispatch dispatch) {
    return std::make_unique<DispatchedEngine>(std::move(engine), std::move(dispatch));
}

}  // namespace ropescope
