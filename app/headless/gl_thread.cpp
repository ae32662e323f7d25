// Runs calls on a thread that lives as long as its OpenGL context.
#include "app/headless/gl_thread.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <future>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace ropescope::headless {

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
