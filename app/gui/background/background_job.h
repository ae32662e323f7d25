// Work beside the window: the frame never waits for it.
#pragma once

#include <atomic>
#include <exception>
#include <fmt/format.h>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <variant>

#include "core/base/error.h"

namespace ropescope::gui {

/// The error that ended a piece of work, in one line.
struct Failure {
    std::string why;
};

/// Runs one piece of work at a time on a thread of its own. take() returns the latest news that the
/// work has told, or its error; earlier news is dropped. An exception that leaves the work becomes
/// a Failure, so that whoever takes news has to say what becomes of errors.
template <typename News>
class BackgroundJob {
  public:
    using Tell = std::function<void(News)>;
    using Work = std::function<void(const std::stop_token& stop, const Tell& tell)>;
    using Message = std::variant<News, Failure>;

    /// Call only while nothing is running. The other thread calls `wake` whenever there is news,
    /// and at the end.
    void start(Work work, void (*wake)()) {
        thread_ = {};  // waits for the previous thread
        take();        // its last news is out of date
        running_ = true;
        try {
            thread_ = std::jthread([this, work = std::move(work),
                                    wake](const std::stop_token& stop) { live(work, wake, stop); });
        } catch (const std::system_error& error) {  // a limit of threads
            put(Failure{fmt::format("no thread can be made for this work: {}", error.what())});
            running_ = false;
        }
    }
    bool running() const { return running_; }
    /// The work ends as soon as it looks at its stop token.
    void ask_to_stop() { thread_.request_stop(); }
    std::optional<Message> take() {
        const std::lock_guard lock(mutex_);
        return std::exchange(message_, std::nullopt);
    }

  private:
    void live(const Work& work, void (*wake)(), const std::stop_token& stop) {
        try {
            work(stop, [&](News news) {
                put(std::move(news));
                wake();
            });
        } catch (const std::exception& error) {
            if (!stop.stop_requested()) {  // else nobody waits for the work any more
                put(Failure{reason_of(error)});
            }
        }
        running_ = false;
        wake();
    }
    void put(Message message) {
        const std::lock_guard lock(mutex_);
        message_ = std::move(message);
    }

    std::atomic<bool> running_{false};
    std::mutex mutex_;
    std::optional<Message> message_;  ///< under mutex_
    std::jthread thread_;             ///< last: it ends before what it uses
};

}  // namespace ropescope::gui
