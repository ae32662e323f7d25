// Starts, watches and ends a program that answers lines.
#include "app/cli/adapter_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
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
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/file.h"

namespace ropescope::cli {
namespace {

constexpr std::chrono::milliseconds kMomentToEnd{1000};

struct Pipe {
    Descriptor read{-1}, write{-1};
};

/// An error of our own end of a pipe says nothing about the implementation.
[[noreturn]] void throw_pipe_error(std::string_view what) {
    throw InputError(fmt::format("probe: {}: {}; the implementation was not judged", what,
                                 std::strerror(errno)));
}

Pipe make_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        throw_pipe_error("there is no pipe to the adapter");
    }
    return {Descriptor(ends[0]), Descriptor(ends[1])};
}

void make_non_blocking(const Descriptor& end) {
    ::fcntl(end.get(), F_SETFL, ::fcntl(end.get(), F_GETFL) | O_NONBLOCK);
}

/// In the child: becomes the command, or says by errno why not. Nothing here allocates what the
/// parent does not have yet, as other threads may hold its locks.
struct AdapterCommand {
    std::vector<char*> words, environment;
    pid_t parent = ::getpid();

    [[noreturn]] void become(int in, int out, int err, int failed) {
        ::setpgid(0, 0);
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent) {
            ::_exit(127);
        }
        ::dup2(in, STDIN_FILENO);
        ::dup2(out, STDOUT_FILENO);
        ::dup2(err, STDERR_FILENO);
        ::signal(SIGPIPE, SIG_DFL);
        sigset_t none;
        sigemptyset(&none);
        ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
        ::execvpe(words.front(), words.data(), environment.data());
        const int error = errno;
        static_cast<void>(!::write(failed, &error, sizeof error));
        ::_exit(127);
    }
};

std::vector<char*> pointers_to(std::vector<std::string>& words) {
    std::vector<char*> pointers;
    std::ranges::transform(words, std::back_inserter(pointers),
                           [](std::string& word) { return word.data(); });
    pointers.push_back(nullptr);
    return pointers;
}

std::string how_it_ended(int status) {
    return WIFSIGNALED(status)
               ? fmt::format("signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)))
               : fmt::format("exit code {}", WEXITSTATUS(status));
}

}  // namespace

AdapterProcess::AdapterProcess(const std::vector<std::string>& command, const HeldSignals& signals)
    : signals_(signals) {
    start(command);
}

void AdapterProcess::start(const std::vector<std::string>& command) {
    Pipe in = make_pipe(), out = make_pipe(), err = make_pipe();
    Pipe failure = make_pipe();
    std::vector<std::string> words = command, mark = {orphans_.mark()};
    AdapterCommand child{pointers_to(words), {}};
    for (char** entry = environ; *entry != nullptr; ++entry) {
        child.environment.push_back(*entry);
    }
    child.environment.push_back(mark.front().data());
    child.environment.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ == 0) {
        child.become(in.read.get(), out.write.get(), err.write.get(), failure.write.get());
    }
    int error = pid_ < 0 ? errno : 0;
    failure.write.close();
    if (pid_ >= 0 && ::read(failure.read.get(), &error, sizeof error) > 0) {
        ::waitpid(pid_, nullptr, 0);  // it ends by itself
        pid_ = -1;
    }
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
        pass_errors_on();
    }
    take_errors();
    pass_errors_on();
    ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);  // it may have left its group
    has_ended(pid_, kMomentToEnd);
    ::waitpid(pid_, nullptr,
              WNOHANG);  // one that may not be killed is named later, with what it left
}

AdapterProcess::Wait AdapterProcess::wait(bool writing, Clock::time_point until, bool& readable,
                                          bool& writable) {
    std::array<pollfd, 5> watched = {
        {{out_.get(), POLLIN, 0},
         {err_.get(), POLLIN, 0},
         {signals_.descriptor(), POLLIN, 0},
         // poll() reports a reader that has gone, even if no event is asked for
         {in_.get(), static_cast<short>(writing ? POLLOUT : 0), 0},
         {STDERR_FILENO, POLLOUT, 0}}};
    while (true) {
        watched[4].fd = unsaid_.empty() ? -1 : STDERR_FILENO;
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
        const int ready = ::poll(watched.data(), watched.size(),
                                 static_cast<int>(std::max<std::int64_t>(0, left.count())));
        if (ready < 0 && errno == EINTR) {
            continue;
        }
        if (ready < 0) {
            throw_pipe_error("the pipes of the adapter cannot be watched");
        }
        signals_.throw_if_taken();
        if (watched[1].revents != 0) {
            take_errors();
            watched[1].fd = err_.get();
        }
        if (!pass_errors_on()) {
            throw Interrupted{SIGPIPE};
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
    const ssize_t wrote = ::write(in_.get(), rest.data(), rest.size());
    if (wrote > 0) {
        rest.remove_prefix(static_cast<std::size_t>(wrote));
    }
    if (wrote < 0 && errno != EAGAIN && errno != EINTR && errno != EPIPE) {
        throw_pipe_error("the pipe to the adapter cannot be written");
    }
    return wrote > 0 || errno != EPIPE;
}

bool AdapterProcess::read_some() {
    std::array<char, 4096> part{};
    const ssize_t got = ::read(out_.get(), part.data(), part.size());
    if (got > 0) {
        buffer_.append(part.data(), static_cast<std::size_t>(got));
    }
    if (got < 0 && errno != EAGAIN && errno != EINTR) {
        throw_pipe_error("the pipe of the adapter cannot be read");
    }
    return got != 0;
}

void AdapterProcess::take_errors() {
    std::array<char, 4096> part{};
    ssize_t got = 0;
    while ((got = ::read(err_.get(), part.data(), part.size())) > 0) {
        const std::string_view text(part.data(), static_cast<std::size_t>(got));
        constexpr std::size_t kMostUnsaid = std::size_t{1} << 16U;  // what does not fit is dropped
        unsaid_.append(text.substr(0, kMostUnsaid - std::min(kMostUnsaid, unsaid_.size())));
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

bool AdapterProcess::pass_errors_on() {
    const ssize_t wrote = write_error_without_waiting(unsaid_);
    unsaid_.erase(0, wrote < 0 ? unsaid_.size() : static_cast<std::size_t>(wrote));
    return wrote >= 0;
}

AdapterProcess::Reply AdapterProcess::ended() {
    if (!has_ended(pid_, kMomentToEnd)) {
        return {Said::end, "it closed its standard input or output"};
    }
    take_errors();
    pass_errors_on();
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

// Adopts and ends what a started program leaves.

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

/// Whether there is any, which the system tells without /proc, too.
bool has_children() {
    siginfo_t none{};
    return ::waitid(P_ALL, 0, &none, WEXITED | WNOHANG | WNOWAIT) == 0;
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
    if (!listed && has_children()) {
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
