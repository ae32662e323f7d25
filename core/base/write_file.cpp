// Writes whole files: through a temporary file, or directly into pipes and open files.
#include "core/base/write_file.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
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

void write_parts(int fd, const fs::path& path, std::span<const std::string_view> parts) {
    for (std::string_view part : parts) {
        while (!part.empty()) {
            const ssize_t put = ::write(fd, part.data(), part.size());
            if (put < 0 && errno != EINTR) {
                throw_file_error(path, "cannot be written", errno);
            }
            part.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(put, 0)));
        }
    }
}

/// The number of an open file of this process if `path` is one of its names: /dev/stdout,
/// /dev/fd/3, /proc/self/fd/3, or a link to one of them.
std::optional<int> own_descriptor(fs::path path) {
    std::error_code error;
    const fs::path own_files = fs::canonical("/proc/self/fd", error);
    constexpr int kMostLinks = 40;  // as many as Linux follows
    for (int link = 0; link < kMostLinks && !error; ++link) {
        const std::string name = path.filename().string();
        if (fs::canonical(path.has_parent_path() ? path.parent_path() : ".", error) == own_files) {
            int fd = -1;
            const auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), fd);
            return failure == std::errc() && end == name.data() + name.size() ? std::optional(fd)
                                                                              : std::nullopt;
        }
        if (error || !fs::is_symlink(path, error)) {
            return std::nullopt;
        }
        path = path.parent_path() / fs::read_symlink(path, error);
    }
    return std::nullopt;
}

/// Writes to a pipe, a terminal or an open file: renaming a file over it would miss its reader.
void write_directly(Descriptor out, const fs::path& path, std::span<const std::string_view> parts) {
    if (out.get() < 0) {
        throw_file_error(path, "cannot be opened for writing", errno);
    }
    write_parts(out.get(), path, parts);
    if (out.close() != 0) {
        throw_file_error(path, "cannot be written", errno);
    }
}

void write_by_renaming(const fs::path& path, const struct stat* existing,
                       std::span<const std::string_view> parts) {
    // Through a symbolic link it is the file behind it that is replaced, not the link.
    std::error_code ignored;
    const fs::path real = existing != nullptr ? fs::canonical(path, ignored) : path;
    const fs::path& target = real.empty() ? path : real;
    if (target.has_parent_path() && path_kind(target.parent_path()) == PathKind::nothing) {
        throw_file_error(path, fmt::format("the folder {} does not exist",
                                           in_quotes(target.parent_path().string())));
    }
    TemporaryFile temporary(target);
    write_parts(temporary.descriptor(), path, parts);
    if (existing != nullptr && ::fchmod(temporary.descriptor(), existing->st_mode & 07777U) != 0) {
        throw_file_error(path, "cannot be given its permissions", errno);
    }
    temporary.publish();
}

}  // namespace

void write_file_whole(const fs::path& path, std::span<const std::string_view> parts) {
    if (path.empty()) {
        throw InputError("output: the name is empty; give the name of a file");
    }
    if (const std::optional<int> fd = own_descriptor(path)) {
        // Opening it by its name would start at byte 0 of a file that the shell appends to.
        return write_directly(Descriptor(::dup(*fd)), path, parts);
    }
    struct stat status = {};
    const bool exists = ::stat(path.c_str(), &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) {
        throw_file_error(path, "is a folder; give the name of a file");
    }
    if (exists && !S_ISREG(status.st_mode)) {
        return write_directly(Descriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC)), path, parts);
    }
    if (exists && ::access(path.c_str(), W_OK) != 0) {
        throw_file_error(path, "cannot be written", errno);
    }
    write_by_renaming(path, exists ? &status : nullptr, parts);
}

void write_file_whole(const fs::path& path, std::string_view contents) {
    write_file_whole(path, std::span<const std::string_view>(&contents, 1));
}

// Creates, publishes and removes temporary files, also when a signal ends the program.

namespace {

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

std::filesystem::path temporary_folder() {
    std::error_code failed;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(failed);
    if (failed) {
        const char* named = std::getenv("TMPDIR");
        throw InputError(
            fmt::format("TMPDIR: '{}' is not a folder; name one that can be written to",
                        printable(named == nullptr ? "/tmp" : named)));
    }
    return folder;
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
