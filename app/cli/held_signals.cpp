// Holds signals, and writes without waiting for a reader.
#include "app/cli/held_signals.h"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include <vector>

#include "core/base/removed_at_end.h"

namespace ropescope::cli {
namespace {

sigset_t ending_signals() {
    sigset_t set;
    sigemptyset(&set);
    for (int signal = 1; signal <= SIGRTMAX; ++signal) {
        struct sigaction action = {};
        // A fault that is handled is reported by somebody, as by a sanitizer.
        if (ends_a_process(signal) && ::sigaction(signal, nullptr, &action) == 0 &&
            (action.sa_handler == SIG_DFL ||
             (action.sa_handler != SIG_IGN && !tells_a_fault(signal)))) {
            sigaddset(&set, signal);
        }
    }
    return set;
}

}  // namespace

HeldSignals::HeldSignals() : signals_(-1) {
    const sigset_t set = ending_signals();
    pthread_sigmask(SIG_BLOCK, &set, &before_);
    signals_ = Descriptor(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

HeldSignals::~HeldSignals() {
    std::vector<int> waiting;
    while (const int signal = taken()) {
        waiting.push_back(signal);
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    for (const int signal : waiting) {
        ::raise(signal);
    }
}

int HeldSignals::taken() const {
    signalfd_siginfo info{};
    while (::read(signals_.get(), &info, sizeof info) == sizeof info) {
        const bool by_our_writing =
            info.ssi_signo == SIGPIPE && info.ssi_pid == static_cast<std::uint32_t>(::getpid());
        if (!by_our_writing) {
            return static_cast<int>(info.ssi_signo);
        }
    }
    return 0;
}

void HeldSignals::throw_if_taken() const {
    if (const int signal = taken(); signal != 0) {
        throw Interrupted{signal};
    }
}

int with_held_signals(const std::function<int(const HeldSignals&)>& work) {
    try {
        const HeldSignals signals;
        return work(signals);
    } catch (const Interrupted& interrupted) {
        ::raise(interrupted.signal);
        return 1;
    }
}

ssize_t write_error_without_waiting(std::string_view text) {
    constexpr std::size_t kPage = 4096;  // poll() reports a pipe with room for one
    std::size_t done = 0;
    while (done < text.size()) {
        pollfd room{STDERR_FILENO, POLLOUT, 0};
        if (::poll(&room, 1, 0) <= 0 || room.revents == 0) {
            break;
        }
        const ssize_t wrote =
            ::write(STDERR_FILENO, text.data() + done, std::min(kPage, text.size() - done));
        if (wrote < 0) {
            return -1;
        }
        done += static_cast<std::size_t>(wrote);
    }
    return static_cast<ssize_t>(done);
}

}  // namespace ropescope::cli
