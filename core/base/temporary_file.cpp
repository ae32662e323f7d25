// Creates, publishes and removes temporary files, also when a signal ends the program.
#include "core/base/temporary_file.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "core/base/file_error.h"

namespace ropescope {
namespace {

namespace fs = std::filesystem;

// A signal handler can reach nothing but static memory, and may only call functions like unlink().
// A program writes few files at once; those beyond the last slot are removed by their destructor
// alone.
constexpr int kSlots = 16;
std::array<std::atomic<const char*>, kSlots> names_of_temporary_files{};

int take_slot(const char* name) {
    for (int slot = 0; slot < kSlots; ++slot) {
        const char* expected = nullptr;
        if (names_of_temporary_files[slot].compare_exchange_strong(expected, name)) {
            return slot;
        }
    }
    return -1;
}

void leave_slot(int slot) {
    if (slot >= 0) {
        names_of_temporary_files[slot] = nullptr;
    }
}

extern "C" void remove_temporary_files_and_end(int signal) {
    remove_temporary_files();
    // The handler is reset (SA_RESETHAND), so this ends the program as if there had been none.
    ::raise(signal);
}

/// Puts the entry of a renamed file on the disk. Some file systems cannot; the rename holds anyway.
void sync_folder(const fs::path& folder) {
    const int descriptor =
        ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        ::fsync(descriptor);
        ::close(descriptor);
    }
}

}  // namespace

TemporaryFile::TemporaryFile(fs::path target) : target_(std::move(target)) {
    static std::atomic<unsigned> counter{0};
    // The kernel applies the umask to 0666; mkstemp would make a file for the owner alone.
    constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    do {
        leave_slot(std::exchange(slot_, -1));
        path_ = target_.parent_path() / fmt::format(".ropescope-{}-{}", ::getpid(), counter++);
        slot_ = take_slot(path_.c_str());
        descriptor_ = ::open(path_.c_str(), kFlags, 0666);
    } while (descriptor_ < 0 && errno == EEXIST);
    if (descriptor_ < 0) {
        const int error = errno;
        leave_slot(slot_);
        throw_file_error(target_, "cannot be created", error);
    }
}

TemporaryFile::~TemporaryFile() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
    if (!path_.empty()) {
        ::unlink(path_.c_str());
    }
    leave_slot(slot_);
}

void TemporaryFile::publish() {
    // EINVAL: a file system that has nothing to sync. A full disk may show only here or in close().
    const bool synced = ::fsync(descriptor_) == 0 || errno == EINVAL;
    if (!synced || ::close(std::exchange(descriptor_, -1)) != 0) {
        throw_file_error(target_, "cannot be written", errno);
    }
    if (::rename(path_.c_str(), target_.c_str()) != 0) {
        throw_file_error(target_, "cannot be replaced", errno);
    }
    leave_slot(std::exchange(slot_, -1));
    path_.clear();
    sync_folder(target_.parent_path());
}

void remove_temporary_files() {
    for (const std::atomic<const char*>& name : names_of_temporary_files) {
        if (const char* path = name.load(); path != nullptr) {
            ::unlink(path);
        }
    }
}

void remove_temporary_files_on_signals() {
    struct sigaction action = {};
    action.sa_handler = remove_temporary_files_and_end;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    for (const int signal : {SIGHUP, SIGINT, SIGTERM}) {
        struct sigaction previous = {};
        // A parent may have chosen that a signal is ignored (nohup); that stays.
        if (::sigaction(signal, nullptr, &previous) == 0 && previous.sa_handler != SIG_IGN) {
            ::sigaction(signal, &action, nullptr);
        }
    }
    std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace ropescope
