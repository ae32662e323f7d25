// Adopts and ends what a started program leaves.
#include "app/cli/orphans.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <optional>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/cli/held_signals.h"
#include "core/base/descriptor.h"

namespace ropescope::cli {
namespace {

namespace fs = std::filesystem;

/// The children of every thread of this process; nothing if they are not listed.
std::optional<std::vector<pid_t>> children() {
    std::vector<pid_t> found;
    bool listed = false;
    std::error_code none;
    for (const auto& thread : fs::directory_iterator("/proc/self/task", none)) {
        std::ifstream list(thread.path() / "children");
        listed = listed || list.is_open();
        for (pid_t child = 0; list >> child;) {
            found.push_back(child);
        }
    }
    return listed ? std::optional(found) : std::nullopt;
}

void say(const std::string& text) {
    write_error_without_waiting("ropescope: " + text + "\n");
}

}  // namespace

bool has_ended(pid_t pid, std::chrono::milliseconds within) {
    const Descriptor handle(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    pollfd ended{handle.get(), POLLIN, 0};
    int ready = 0;
    do {
        ready = ::poll(&ended, 1, static_cast<int>(within.count()));
    } while (ready < 0 && errno == EINTR);
    return ready > 0;
}

Orphans::Orphans()
    : before_(children().value_or(std::vector<pid_t>())),
      mark_(fmt::format("ROPESCOPE_PROBE={}", ::getpid())) {
    ::prctl(PR_GET_CHILD_SUBREAPER, &was_reaper_);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

bool Orphans::is_ours(pid_t child) const {
    if (std::ranges::find(before_, child) != before_.end()) {
        return false;
    }
    if (before_.empty()) {
        return true;
    }
    std::ifstream file(fmt::format("/proc/{}/environ", child));
    for (std::string entry; std::getline(file, entry, '\0');) {
        if (entry == mark_) {
            return true;
        }
    }
    return false;
}

Orphans::~Orphans() {
    // Those that a killed process leaves come in the next round; one that starts others faster than
    // they are killed, or does not end, must not keep us for ever.
    constexpr int kRounds = 100;
    constexpr std::chrono::milliseconds kToEnd{2000};
    const auto until = std::chrono::steady_clock::now() + kToEnd;
    std::vector<pid_t> left;
    int refusal = 0;
    bool listed = true;
    for (int round = 0; round < kRounds; ++round) {
        const std::optional<std::vector<pid_t>> now = children();
        listed = now.has_value();
        left = now.value_or(std::vector<pid_t>());
        std::erase_if(left, [&](pid_t child) { return !is_ours(child); });
        bool killed = false;
        for (const pid_t child : left) {
            if (::kill(child, SIGKILL) != 0) {
                refusal = errno;
                killed = ::waitpid(child, nullptr, WNOHANG) == child || killed;
                continue;
            }
            const auto rest = std::chrono::duration_cast<std::chrono::milliseconds>(
                until - std::chrono::steady_clock::now());
            has_ended(child, std::max(rest, std::chrono::milliseconds(0)));
            killed = ::waitpid(child, nullptr, WNOHANG) == child || killed;
        }
        if (!killed) {
            break;
        }
    }
    if (!listed) {
        say("/proc does not list the processes that the adapter has left; they live on");
    } else if (!left.empty()) {
        say(fmt::format("{} of the adapter {} on: {}{}{}",
                        left.size() == 1 ? "process" : "processes",
                        left.size() == 1 ? "lives" : "live", fmt::join(left, ", "),
                        refusal != 0 ? ": " : "", refusal != 0 ? std::strerror(refusal) : ""));
    }
    ::prctl(PR_SET_CHILD_SUBREAPER, was_reaper_);
}

}  // namespace ropescope::cli
