// Splits loops over a pool of threads that stays between calls.
//
// A child of fork() gets a copy of the pool, but none of its workers, and the mutex may be locked
// there by a thread that the child does not have. So a child never touches the pools of the
// processes that it comes from, not even to destroy them, and makes its own with the first call.
// That takes no lock either (see core/base/memo.h).
#include "core/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <thread>
#include <vector>

#include "core/base/processors.h"

namespace ropescope {
namespace {

using Body = std::function<void(std::int64_t, std::int64_t)>;

/// How many forks lie between the first process and this one. It tells apart what belongs to this
/// process and what is a copy of its parent's.
constinit std::atomic<int> forks = 0;

constexpr int kNoProcess = -1;

/// The process, by its forks, in which this thread is running a part.
int& process_of_part() {
    thread_local int process = kNoProcess;
    return process;
}

/// True on a thread that is already running a part: a nested call must not wait for workers. A
/// child that was forked in a part has workers of its own.
bool inside_part() {
    return process_of_part() == forks;
}

/// To sleep and to be woken takes as long as a small matrix product. An encoder asks for the next
/// one at once, so a thread looks for it this long before it sleeps.
constexpr std::chrono::microseconds kWatch{100};

/// Returns when `ready` holds or the time is up.
template <typename Ready>
void watch(Ready ready) {
    const auto end = std::chrono::steady_clock::now() + kWatch;
    while (!ready() && std::chrono::steady_clock::now() < end) {
        std::this_thread::yield();
    }
}

/// One parallel_for call. What changes is guarded by the pool's mutex; `unfinished` may be looked
/// at without.
struct Call {
    const Body* body = nullptr;
    std::atomic<int> unfinished = 0;
    std::exception_ptr error;
    std::condition_variable done;
};

struct Part {
    Call* call = nullptr;
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

std::exception_ptr run_part(const Part& part) {
    std::exception_ptr error;
    process_of_part() = forks;
    try {
        (*part.call->body)(part.begin, part.end);
    } catch (...) {
        error = std::current_exception();
    }
    process_of_part() = kNoProcess;
    return error;
}

/// Workers that wait for parts; there are as many as the largest call has needed so far.
class Pool {
  public:
    /// `of_parent` is the pool that this process has a copy of, or null.
    explicit Pool(const Pool* of_parent) : of_parent_(of_parent) {}

    bool is_of_this_process() const { return forks_ == forks; }

    /// Joins the workers. Calls that are still running, or come later, do without them.
    void stop() {
        {
            const std::lock_guard lock(mutex_);
            stopping_ = true;
        }
        wake_.notify_all();
        for (std::thread& worker : workers_) {
            worker.join();
        }
    }

    /// Runs every part, the first one on the calling thread.
    void run(Call& call, const std::vector<Part>& parts) {
        {
            const std::lock_guard lock(mutex_);
            call.unfinished = static_cast<int>(parts.size());
            queue_.insert(queue_.end(), parts.begin() + 1, parts.end());
            queued_ = std::ssize(queue_);
            hire(parts.size() - 1);
        }
        wake_.notify_all();
        finish(parts.front(), run_part(parts.front()));
        help(call);
        watch([&] { return call.unfinished == 0; });
        std::unique_lock lock(mutex_);
        call.done.wait(lock, [&] { return call.unfinished == 0; });
    }

  private:
    /// A system that refuses another thread, or the memory for it, is no error: the caller then
    /// runs those parts itself.
    void hire(std::size_t wanted) {
        try {
            while (!stopping_ && workers_.size() < wanted) {
                workers_.emplace_back([this] { work(); });
            }
        } catch (const std::exception&) {
        }
    }

    void work() {
        std::unique_lock lock(mutex_);
        for (;;) {
            if (queue_.empty()) {
                lock.unlock();
                watch([this] { return queued_ > 0 || stopping_; });
                lock.lock();
            }
            wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
            if (stopping_) {
                return;
            }
            const Part part = queue_.front();
            queue_.pop_front();
            queued_ = std::ssize(queue_);
            lock.unlock();
            finish(part, run_part(part));
            lock.lock();
        }
    }

    /// The calling thread takes over parts of its own call that no worker has started.
    void help(Call& call) {
        for (;;) {
            Part part;
            {
                const std::lock_guard lock(mutex_);
                const auto own =
                    std::ranges::find_if(queue_, [&](const Part& p) { return p.call == &call; });
                if (own == queue_.end()) {
                    return;
                }
                part = *own;
                queue_.erase(own);
                queued_ = std::ssize(queue_);
            }
            finish(part, run_part(part));
        }
    }

    /// Notifies under the lock: the caller may destroy the call as soon as it can see it finished.
    void finish(const Part& part, std::exception_ptr error) {
        const std::lock_guard lock(mutex_);
        if (error && !part.call->error) {
            part.call->error = std::move(error);
        }
        if (--part.call->unfinished == 0) {
            part.call->done.notify_one();
        }
    }

    const int forks_ = forks;
    [[maybe_unused]] const Pool* const of_parent_;  ///< so that its memory is not lost
    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<Part> queue_;
    std::atomic<std::ptrdiff_t> queued_ = 0;  ///< its size, to be looked at without the mutex
    std::vector<std::thread> workers_;
    std::atomic<bool> stopping_ = false;  ///< written under the mutex
};

/// The pool that was made last, in this process or in one that it comes from. It stays when the
/// process ends, because a thread may still be computing then.
constinit std::atomic<Pool*> newest = nullptr;

/// The pool of this process. Two threads may both make one; the first that is done is taken.
Pool& pool() {
    Pool* found = newest;
    while (found == nullptr || !found->is_of_this_process()) {
        auto made = std::make_unique<Pool>(found);
        if (newest.compare_exchange_strong(found, made.get())) {
            found = made.release();
        }
    }
    return *found;
}

/// Counts the forks, and joins the workers when the process ends or unloads the library.
struct Process {
    Process() noexcept {
        if (pthread_atfork(nullptr, nullptr, [] { ++forks; }) != 0) {
            std::terminate();  // there is no memory for a few bytes
        }
    }
    ~Process() {
        if (Pool* const made = newest; made != nullptr && made->is_of_this_process()) {
            made->stop();
        }
    }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
};
const Process process;

/// Contiguous parts of nearly equal size whose boundaries are multiples of grain.
std::vector<Part> split(Call& call, std::int64_t count, std::int64_t grain, int threads) {
    const std::int64_t grains = (count + grain - 1) / grain;
    const std::int64_t parts = std::min<std::int64_t>(threads, grains);
    std::vector<Part> split;
    for (std::int64_t i = 0; i < parts; ++i) {
        const std::int64_t begin = grains * i / parts * grain;
        const std::int64_t end = std::min(count, grains * (i + 1) / parts * grain);
        split.push_back({&call, begin, end});
    }
    return split;
}

}  // namespace

int default_threads() {
    return std::clamp(allowed_processors(), 1, kMaxThreads);
}

void parallel_for(std::int64_t count, std::int64_t grain, int threads, const Body& body) {
    if (count <= 0) {
        return;
    }
    grain = std::max<std::int64_t>(grain, 1);
    threads = threads > 0 ? std::min(threads, kMaxThreads) : default_threads();
    if (threads == 1 || count <= grain || inside_part()) {
        body(0, count);
        return;
    }
    Call call;
    call.body = &body;
    pool().run(call, split(call, count, grain, threads));
    if (call.error) {
        std::rethrow_exception(call.error);
    }
}

}  // namespace ropescope
