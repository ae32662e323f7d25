// Makes the GPU engine on a thread with an OpenGL context, and keeps several on one device.
#include "app/headless/offscreen_engine.h"

#include <epoxy/gl.h>
#include <fmt/format.h>
#include <mutex>
#include <utility>

#include "app/headless/gl_thread.h"
#include "core/gpu/gpu_engine.h"

namespace ropescope::headless {
namespace {

std::shared_ptr<GlThread> computing_thread(EglRequest request) {
    request.compute = true;
    return std::make_shared<GlThread>(request);
}

std::unique_ptr<Engine> engine_on(const std::shared_ptr<GlThread>& thread, Fallback fallback) {
    std::unique_ptr<Engine> engine;
    thread->run([&] { engine = make_gpu_engine(); });
    return make_dispatched_engine(
        std::move(engine),
        {.thread = thread, .fallback = std::move(fallback), .drawable = thread->shares()});
}

}  // namespace

std::unique_ptr<Engine> make_offscreen_engine(EglRequest request, Fallback fallback) {
    return engine_on(computing_thread(std::move(request)), std::move(fallback));
}

struct SharedDevice::Shared {
    std::mutex mutex;
    EglRequest request;  ///< under mutex
};

SharedDevice::SharedDevice(const std::string& device) : shared_(std::make_shared<Shared>()) {
    shared_->request.device = device;
}

void SharedDevice::share_with_current_context() const {
    const std::lock_guard lock(shared_->mutex);
    constexpr int kComputes = 43;
    if (epoxy_gl_version() >= kComputes) {  // an older one cannot draw what it shares
        shared_->request.share = current_egl_context();
    }
}

std::unique_ptr<Engine> SharedDevice::open(Fallback fallback) const {
    const std::lock_guard lock(shared_->mutex);
    const std::shared_ptr<GlThread> thread = computing_thread(shared_->request);
    std::unique_ptr<Engine> engine = engine_on(thread, std::move(fallback));
    if (!thread->shares()) {
        shared_->request.device = fmt::format("{}", thread->device().number);
    }
    return engine;
}

std::string SharedDevice::device() const {
    const std::lock_guard lock(shared_->mutex);
    return shared_->request.device;
}

}  // namespace ropescope::headless
