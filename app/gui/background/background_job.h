// Work beside the window: the frame never waits for it.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

namespace ropescope::gui {

/// Runs one piece of work at a time on a thread of its own. take() returns the latest news that the
/// work has told; earlier news is dropped.
template <typename News>
class BackgroundJob {
  public:
    using Tell = std::function<void(News)>;
    using Work = std::function<void(const std::stop_token& stop, const Tell& tell)>;

    /// Call only while nothing is running. The other thread calls `wake` whenever there is news,
    /// and at the end.
    void start(Work work, void (*wake)()) {
        thread_ = {};  // waits for the previous thread
        take();        // its last news is out of date
        running_ = true;
        thread_ = std::jthread([this, work = std::move(work), wake](const std::stop_token& stop) {
            work(stop, [&](News news) {
                {
                    const std::lock_guard lock(mutex_);
                    news_ = std::move(news);
                }
                wake();
            });
            running_ = false;
            wake();
        });
    }
    bool running() const { return running_; }
    /// The work ends as soon as it looks at its stop token.
    void ask_to_stop() { thread_.request_stop(); }
    std::optional<News> take() {
        const std::lock_guard lock(mutex_);
        return std::exchange(news_, std::nullopt);
    }

  private:
    std::atomic<bool> running_{false};
    std::mutex mutex_;
    std::optional<News> news_;  ///< under mutex_
    std::jthread thread_;       ///< last: it ends before what it uses
};

}  // namespace ropescope::gui
