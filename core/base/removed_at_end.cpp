// Names what is temporary for destructors and for the handlers of signals.
#include "core/base/removed_at_end.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fmt/format.h>
#include <iterator>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/file.h"

namespace ropescope {
namespace {

namespace fs = std::filesystem;

// A signal handler can reach nothing but static memory, and may only call functions like unlink().
// A program makes few files at once; those beyond the last slot are removed by their destructor
// alone.
constexpr int kSlots = 16;
struct TemporaryName {
    std::atomic<const char*> path;
    std::atomic<pid_t> owner;  ///< a copy of the process must not remove what is not its own
};
std::array<TemporaryName, kSlots> temporary_names{};

int take_slot(const char* path, pid_t owner) {
    for (int slot = 0; slot < kSlots; ++slot) {
        const char* expected = nullptr;
        if (temporary_names[slot].path.compare_exchange_strong(expected, path)) {
            temporary_names[slot].owner = owner;
            return slot;
        }
    }
    return -1;
}

#ifdef __linux__

/// While it lives, no signal comes to this thread: between a folder's making and its entry in the
/// list a handler would not know it.
class NoSignals {
  public:
    NoSignals() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    NoSignals(const NoSignals&) = delete;
    NoSignals& operator=(const NoSignals&) = delete;
    ~NoSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  private:
    sigset_t before_ = {};
};

#else

struct NoSignals {};

#endif

extern "C" void remove_temporary_files_and_end(int signal) {
    remove_temporary_files();
    // The signal ends the program as if there had been no handler.
    ::signal(signal, SIG_DFL);
    ::raise(signal);
}

}  // namespace

RemovedAtEnd::RemovedAtEnd(std::string front, const Make& make) : owner_(::getpid()) {
    static std::atomic<unsigned> made{0};
    front += fmt::format("{}-", owner_);
    do {
        path_ = front + std::to_string(made++);
        [[maybe_unused]] const NoSignals quiet;
        is_there_ = make(path_.c_str());
        const int error = errno;
        slot_ = is_there_ ? take_slot(path_.c_str(), owner_) : -1;
        errno = error;
    } while (!is_there_ && errno == EEXIST);
}

RemovedAtEnd::~RemovedAtEnd() {
    remove();
}

bool RemovedAtEnd::remove() noexcept {
    constexpr int kTries = 3;  // something that lives on may still write into a folder
    bool removed = !is_there_ || owner_ != ::getpid();
    for (int i = 0; i < kTries && !removed; ++i) {
        removed = remove_tree(path_.c_str());
    }
    keep();
    return removed;
}

void RemovedAtEnd::keep() noexcept {
    is_there_ = false;
    if (const int slot = std::exchange(slot_, -1); slot >= 0) {
        temporary_names[slot].path = nullptr;
    }
}

void RemovedAtEnd::throw_missing(const fs::path& about, std::string_view cannot_be_made) {
    if (errno == ENOENT) {  // what /proc says of every new name
        throw_file_error(about, fmt::format("{}: its folder takes no new files; name another one",
                                            cannot_be_made));
    }
    throw_file_error(about, cannot_be_made, errno);
}

TemporaryFolder::TemporaryFolder(const fs::path& front, mode_t rights, const fs::path& about)
    : folder_(front.string(), [&](const char* path) {
          return hold_descriptors_for_removal() && ::mkdir(path, rights) == 0;
      }) {
    if (!folder_.is_there()) {
        RemovedAtEnd::throw_missing(about.empty() ? path() : about, "cannot be made a folder");
    }
}

bool TemporaryFolder::publish(const fs::path& target) {
    if (::rename(path().c_str(), target.c_str()) != 0) {
        if (errno == EEXIST || errno == ENOTEMPTY) {
            return false;
        }
        throw_file_error(target, "cannot be written", errno);
    }
    folder_.keep();
    return true;
}

fs::path temporary_folder() {
    std::error_code failed;
    fs::path folder = fs::temp_directory_path(failed);
    if (failed) {
        const char* named = std::getenv("TMPDIR");
        throw InputError(
            fmt::format("TMPDIR: '{}' is not a folder; name one that can be written to",
                        printable(named == nullptr ? "/tmp" : named)));
    }
    return folder;
}

void remove_temporary_files() {
    for (const TemporaryName& name : temporary_names) {
        if (const char* path = name.path; path != nullptr && name.owner == ::getpid()) {
            remove_tree(path);
        }
    }
}

bool ends_a_process(int signal) {
    constexpr int kOthers[] = {SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU,
                               SIGCONT, SIGCHLD, SIGURG,  SIGWINCH};
    return std::ranges::find(kOthers, signal) == std::end(kOthers);
}

bool tells_a_fault(int signal) {
    constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};
    return std::ranges::find(kFaults, signal) != std::end(kFaults);
}

void remove_temporary_files_on_signals() {
    std::signal(SIGXFSZ, SIG_IGN);
    struct sigaction action = {};
    action.sa_handler = remove_temporary_files_and_end;
    for (int signal = 1; signal <= SIGRTMAX; ++signal) {
        struct sigaction previous = {};
        // A parent may have chosen that a signal is ignored; a sanitizer handles some.
        if (ends_a_process(signal) && !tells_a_fault(signal) &&
            ::sigaction(signal, nullptr, &previous) == 0 && previous.sa_handler == SIG_DFL) {
            ::sigaction(signal, &action, nullptr);
        }
    }
}

}  // namespace ropescope
