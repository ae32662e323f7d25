// Starts, watches and ends a program that answers lines.
#include "app/cli/adapter_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/error.h"
#include "core/base/printable.h"

namespace ropescope::cli {
namespace {

constexpr std::size_t kLongestLine = std::size_t{1} << 20U;
constexpr std::chrono::milliseconds kMomentToEnd{1000};

struct Pipe {
    Descriptor read{-1}, write{-1};
};

Pipe make_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        throw InputError(fmt::format("no pipe to the adapter: {}", std::strerror(errno)));
    }
    return {Descriptor(ends[0]), Descriptor(ends[1])};
}

void make_non_blocking(const Descriptor& end) {
    ::fcntl(end.get(), F_SETFL, ::fcntl(end.get(), F_GETFL) | O_NONBLOCK);
}

/// Those that ask a program to end, unless a parent has chosen that they are ignored (nohup).
sigset_t ending_signals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) {
        struct sigaction action = {};
        if (::sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_IGN) {
            sigaddset(&set, signal);
        }
    }
    return set;
}

/// While it lives, writing to a pipe that nobody reads is an error instead of a signal.
class NoPipeSignal {
  public:
    NoPipeSignal() {
        sigemptyset(&pipe_);
        sigaddset(&pipe_, SIGPIPE);
        pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
    }
    NoPipeSignal(const NoPipeSignal&) = delete;
    NoPipeSignal& operator=(const NoPipeSignal&) = delete;
    ~NoPipeSignal() {
        const timespec now{};
        ::sigtimedwait(&pipe_, nullptr, &now);  // the one that has come, if one has
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }

  private:
    sigset_t pipe_ = {}, before_ = {};
};

/// Options of posix_spawn() with an owner.
class SpawnOptions {
  public:
    SpawnOptions() {
        posix_spawn_file_actions_init(&actions);
        posix_spawnattr_init(&attributes);
        sigset_t none, usual = ending_signals();
        sigemptyset(&none);
        sigaddset(&usual, SIGPIPE);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &usual);
        posix_spawnattr_setpgroup(&attributes, 0);
        posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    }
    SpawnOptions(const SpawnOptions&) = delete;
    SpawnOptions& operator=(const SpawnOptions&) = delete;
    ~SpawnOptions() {
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
    }

    posix_spawn_file_actions_t actions = {};
    posix_spawnattr_t attributes = {};
};

/// Waits until the process has ended, without taking its status, so that the number of its group
/// is not given to others yet. False if it goes on.
bool has_ended(pid_t pid, std::chrono::milliseconds within) {
    const Descriptor handle(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    pollfd ended{handle.get(), POLLIN, 0};
    int ready = 0;
    do {
        ready = ::poll(&ended, 1, static_cast<int>(within.count()));
    } while (ready < 0 && errno == EINTR);
    return ready > 0;
}

std::string how_it_ended(int status) {
    return WIFSIGNALED(status)
               ? fmt::format("signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)))
               : fmt::format("exit code {}", WEXITSTATUS(status));
}

}  // namespace

HeldSignals::HeldSignals() : signals_(-1) {
    const sigset_t set = ending_signals();
    pthread_sigmask(SIG_BLOCK, &set, &before_);
    signals_ = Descriptor(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

HeldSignals::~HeldSignals() {
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);  // one that waits is delivered now
}

int HeldSignals::taken() const {
    signalfd_siginfo info{};
    return ::read(signals_.get(), &info, sizeof info) == sizeof info
               ? static_cast<int>(info.ssi_signo)
               : 0;
}

AdapterProcess::AdapterProcess(const std::vector<std::string>& command, const HeldSignals& signals)
    : signals_(signals) {
    start(command);
}

void AdapterProcess::start(const std::vector<std::string>& command) {
    Pipe in = make_pipe(), out = make_pipe(), err = make_pipe();
    SpawnOptions options;
    posix_spawn_file_actions_adddup2(&options.actions, in.read.get(), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&options.actions, out.write.get(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&options.actions, err.write.get(), STDERR_FILENO);
    std::vector<std::string> words = command;
    std::vector<char*> pointers;
    std::ranges::transform(words, std::back_inserter(pointers),
                           [](std::string& word) { return word.data(); });
    pointers.push_back(nullptr);
    const int error = ::posix_spawnp(&pid_, words.front().c_str(), &options.actions,
                                     &options.attributes, pointers.data(), environ);
    if (error != 0) {
        throw InputError(fmt::format("{}: cannot be started: {}; give the adapter behind --",
                                     in_quotes(words.front()), std::strerror(error)));
    }
    in_ = std::move(in.write);
    out_ = std::move(out.read);
    err_ = std::move(err.read);
    for (const Descriptor* end : {&in_, &out_, &err_}) {
        make_non_blocking(*end);
    }
}

AdapterProcess::~AdapterProcess() {
    if (pid_ < 0) {
        return;
    }
    in_.close();
    out_.close();  // one that writes on gets an error
    const auto until = Clock::now() + kMomentToEnd;
    while (!has_ended(pid_, std::chrono::milliseconds(20)) && Clock::now() < until) {
        take_errors();  // so that it is not held up by a full pipe
    }
    take_errors();
    ::kill(-pid_, SIGKILL);
    int status = 0;
    ::waitpid(pid_, &status, 0);
}

AdapterProcess::Wait AdapterProcess::wait(bool writing, Clock::time_point until, bool& readable,
                                          bool& writable) {
    std::array<pollfd, 4> watched = {
        {{out_.get(), POLLIN, 0},
         {err_.get(), POLLIN, 0},
         {signals_.descriptor(), POLLIN, 0},
         // poll() reports a reader that has gone, even if no event is asked for
         {in_.get(), static_cast<short>(writing ? POLLOUT : 0), 0}}};
    while (true) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
        const int ready = ::poll(watched.data(), watched.size(),
                                 static_cast<int>(std::max<std::int64_t>(0, left.count())));
        if (ready < 0 && errno == EINTR) {
            continue;
        }
        if (const int signal = signals_.taken(); signal != 0) {
            throw Interrupted{signal};
        }
        if (watched[1].revents != 0) {
            take_errors();
        }
        readable = watched[0].revents != 0;
        writable = watched[3].revents != 0;
        if (readable || writable) {
            return Wait::ready;
        }
        if (Clock::now() >= until) {
            return Wait::late;
        }
    }
}

bool AdapterProcess::write_some(std::string_view& rest) {
    const NoPipeSignal no_signal;
    const ssize_t wrote = ::write(in_.get(), rest.data(), rest.size());
    if (wrote > 0) {
        rest.remove_prefix(static_cast<std::size_t>(wrote));
    }
    return wrote > 0 || errno == EAGAIN || errno == EINTR;
}

bool AdapterProcess::read_some() {
    std::array<char, 4096> part{};
    const ssize_t got = ::read(out_.get(), part.data(), part.size());
    if (got > 0) {
        buffer_.append(part.data(), static_cast<std::size_t>(got));
    }
    return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

void AdapterProcess::take_errors() {
    std::array<char, 4096> part{};
    ssize_t got = 0;
    while ((got = ::read(err_.get(), part.data(), part.size())) > 0) {
        const std::string_view text(part.data(), static_cast<std::size_t>(got));
        std::fwrite(text.data(), 1, text.size(), stderr);
        last_words_ = (last_words_ + std::string(text));
        constexpr std::size_t kKept = 4096;
        if (last_words_.size() > kKept) {
            last_words_.erase(0, last_words_.size() - kKept);
        }
    }
    if (got == 0) {
        err_.close();  // poll() would report its end again and again
    }
}

AdapterProcess::Reply AdapterProcess::ended() {
    if (!has_ended(pid_, kMomentToEnd)) {
        return {Said::end, "it closed its standard input or output"};
    }
    take_errors();
    siginfo_t info{};
    ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT);
    const int status = info.si_code == CLD_EXITED ? (info.si_status & 0xff) << 8 : info.si_status;
    std::string words = last_words_;
    while (!words.empty() && words.back() == '\n') {
        words.pop_back();
    }
    words.erase(0, words.rfind('\n') + 1);
    return {Said::end,
            how_it_ended(status) + (words.empty() ? "" : ", last words " + in_quotes(words))};
}

AdapterProcess::Reply AdapterProcess::ask(const std::string& line,
                                          std::chrono::milliseconds timeout) {
    const Clock::time_point until = Clock::now() + timeout;
    const std::string with_end = line + "\n";
    std::string_view rest = with_end;
    while (true) {
        const std::size_t end = buffer_.find('\n');
        if (end != buffer_.npos) {
            Reply reply{Said::line, buffer_.substr(0, end)};
            buffer_.erase(0, end + 1);
            return reply;
        }
        if (buffer_.size() > kLongestLine) {
            return {Said::too_much, "a line of more than a mebibyte"};
        }
        bool readable = false, writable = false;
        if (wait(!rest.empty(), until, readable, writable) == Wait::late) {
            return {Said::nothing_in_time, {}};
        }
        if (readable && !read_some()) {
            return ended();
        }
        const bool unread = writable && (rest.empty() ? !readable : !write_some(rest));
        if (unread) {
            return ended();
        }
    }
}

}  // namespace ropescope::cli
