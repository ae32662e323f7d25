// Makes the GPU engine on a thread with an OpenGL context, and keeps several on one device.
#include "app/headless/offscreen_engine.h"

#include <condition_variable>
#include <deque>
#include <epoxy/gl.h>
#include <exception>
#include <fmt/format.h>
#include <future>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "core/base/processors.h"
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

// Runs calls on a thread that lives as long as its OpenGL context.

struct GlThread::Impl {
    std::mutex mutex;
    std::condition_variable wake;
    std::deque<std::function<void()>> queue;  ///< under mutex, like `over`
    bool over = false;
    std::exception_ptr failure;  ///< of a posted call; only the thread touches it
    EglDevice device;
    bool shares = false;
    std::thread thread;

    void push(std::function<void()> work) {
        {
            const std::lock_guard lock(mutex);
            queue.push_back(std::move(work));
        }
        wake.notify_one();
    }

    /// Waits for a call; nullopt when the thread is to end and none is left.
    std::optional<std::function<void()>> next() {
        std::unique_lock lock(mutex);
        wake.wait(lock, [this] { return over || !queue.empty(); });
        if (queue.empty()) {
            return std::nullopt;
        }
        std::optional work = std::move(queue.front());
        queue.pop_front();
        return work;
    }

    void live(const EglRequest& request, std::promise<void>& opened) {
        std::optional<EglContext> context;
        try {
            context.emplace(request);
            device = context->device();
            shares = context->shares();
            opened.set_value();
        } catch (...) {
            opened.set_exception(std::current_exception());
            return;
        }
        while (const auto work = next()) {
            (*work)();
        }
    }
};

GlThread::GlThread(const EglRequest& request) : impl_(std::make_unique<Impl>()) {
    require_thread("the GPU's calls");
    std::promise<void> opened;
    impl_->thread = std::thread([this, &request, &opened] { impl_->live(request, opened); });
    try {
        opened.get_future().get();
    } catch (...) {
        impl_->thread.join();
        throw;
    }
}

GlThread::~GlThread() {
    {
        const std::lock_guard lock(impl_->mutex);
        impl_->over = true;
    }
    impl_->wake.notify_one();
    impl_->thread.join();
}

const EglDevice& GlThread::device() const {
    return impl_->device;
}

bool GlThread::shares() const {
    return impl_->shares;
}

void GlThread::run(const std::function<void()>& call) {
    std::promise<void> done;
    impl_->push([&] {
        try {
            if (impl_->failure) {
                std::rethrow_exception(std::exchange(impl_->failure, nullptr));
            }
            call();
            done.set_value();
        } catch (...) {
            done.set_exception(std::current_exception());
        }
    });
    done.get_future().get();
}

void GlThread::post(std::function<void()> call) {
    impl_->push([this, call = std::move(call)] {
        if (impl_->failure) {
            return;
        }
        try {
            call();
        } catch (...) {
            impl_->failure = std::current_exception();
        }
    });
}

}  // namespace ropescope::headless
