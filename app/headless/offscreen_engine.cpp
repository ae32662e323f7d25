#include "app/headless/offscreen_engine.h"

#include <epoxy/gl.h>
#include <fmt/format.h>
#include <mutex>
#include <type_traits>
#include <utility>

#include "app/headless/gl_thread.h"
#include "core/engine/relayed_ops.h"
#include "core/engine/routed_engine.h"

namespace ropescope::headless {
namespace {

class ThreadRelay final : public Relay {
  public:
    explicit ThreadRelay(GlThread& thread) : thread_(thread) {}
    void now(const std::function<void()>& call) override { thread_.run(call); }
    void in_order(std::function<void()> call) override { thread_.post(std::move(call)); }

  private:
    GlThread& thread_;
};

/// Hands every call to the engine on the thread.
class OffscreenEngine final : public RoutedEngine {
  public:
    OffscreenEngine(EglRequest request, InjectedLoss loss)
        : thread_(for_computing(std::move(request))) {
        thread_.run([this, loss] { engine_ = make_gpu_engine(loss); });
    }
    ~OffscreenEngine() override {
        const auto end = [this] { engine_.reset(); };
        try {
            thread_.run(end);
        } catch (...) {  // an error of the past has nobody left to hear it
            thread_.run(end);
        }
    }
    OffscreenEngine(const OffscreenEngine&) = delete;
    OffscreenEngine& operator=(const OffscreenEngine&) = delete;

    int number() const { return thread_.device().number; }

    std::string name() const override { return engine_->name(); }
    std::string device() const override { return engine_->device(); }
    bool drawable() const override { return thread_.shares(); }

    std::unique_ptr<TensorOps> tensor_ops() override {
        std::unique_ptr<TensorOps> ops;
        route([&](Engine& engine) { ops = engine.tensor_ops(); });
        return make_relayed_ops(std::move(ops), std::make_shared<ThreadRelay>(thread_));
    }

  private:
    static EglRequest for_computing(EglRequest request) {
        request.compute = true;
        return request;
    }

    void route(const std::function<void(Engine&)>& work) override {
        thread_.run([&] { work(*engine_); });
    }

    // Destroyed last to first: the thread ends after the engine went in it.
    std::unique_ptr<Engine> engine_;
    GlThread thread_;
};

}  // namespace

std::unique_ptr<Engine> make_offscreen_engine(const EglRequest& request, InjectedLoss loss) {
    return std::make_unique<OffscreenEngine>(request, loss);
}

struct OneDevice::Shared {
    std::mutex mutex;
    EglRequest request;  ///< under mutex
};

OneDevice::OneDevice(const std::string& device) : shared_(std::make_shared<Shared>()) {
    shared_->request.device = device;
}

void OneDevice::share_with_current_context() const {
    const std::lock_guard lock(shared_->mutex);
    constexpr int kComputes = 43;
    if (epoxy_gl_version() >= kComputes) {  // else it could not draw what it shares
        shared_->request.share = current_egl_context();
    }
}

std::unique_ptr<Engine> OneDevice::open() const {
    const std::lock_guard lock(shared_->mutex);
    auto engine = std::make_unique<OffscreenEngine>(shared_->request, InjectedLoss{});
    if (!engine->drawable()) {
        shared_->request.device = fmt::format("{}", engine->number());
    }
    return engine;
}

std::string OneDevice::device() const {
    const std::lock_guard lock(shared_->mutex);
    return shared_->request.device;
}

}  // namespace ropescope::headless
