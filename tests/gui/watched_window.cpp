// Starts the window's process and reads its reports.
#include "tests/gui/watched_window.h"

#include <array>
#include <chrono>
#include <fcntl.h>
#include <poll.h>
#include <stdexcept>
#include <unistd.h>

#include "tests/support/patience.h"

namespace ropescope::test {

WatchedWindow::WatchedWindow(const Display& display) {
    int ends[2] = {-1, -1};
    if (pipe2(ends, O_CLOEXEC) != 0) {
        throw std::runtime_error("no pipe");
    }
    reports_ = ends[0];
    program_ = std::make_unique<ChildProcess>(
        std::vector<std::string>{"/proc/self/exe", "--window", std::to_string(ends[1])},
        std::vector<std::pair<std::string, std::string>>{{"DISPLAY", display.name()}}, ends[1]);
    close(ends[1]);
}

WatchedWindow::~WatchedWindow() {
    close(reports_);
}

bool WatchedWindow::until(const std::function<bool(const Report&)>& wanted) {
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + std::chrono::minutes(2 * kPatience);
    while (report_.is_null() || !wanted(report_)) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
        if (left <= 0 || !read_report(static_cast<int>(left))) {
            return false;
        }
    }
    return true;
}

bool WatchedWindow::read_report(int milliseconds) {
    std::size_t end = unread_.find('\n');
    while (end == std::string::npos) {
        pollfd ready{reports_, POLLIN, 0};
        std::array<char, 4096> bytes{};
        if (poll(&ready, 1, milliseconds) != 1) {
            return false;
        }
        const ssize_t count = read(reports_, bytes.data(), bytes.size());
        if (count <= 0) {
            return false;
        }
        unread_.append(bytes.data(), count);
        end = unread_.find('\n');
    }
    report_ = Report::parse(unread_.substr(0, end));
    unread_.erase(0, end + 1);
    return true;
}

}  // namespace ropescope::test
