// Writes whole files: through a temporary file, or directly into pipes and open files.
#include "core/base/write_file.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
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

constexpr int kMostLinks = 40;  // as many as Linux follows

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

/// The file that a symbolic link leads to, whether it exists or not: it is written, not the link.
fs::path behind_links(fs::path path) {
    std::error_code error;
    for (int link = 0; link < kMostLinks && fs::is_symlink(path, error); ++link) {
        path = path.parent_path() / fs::read_symlink(path, error);
    }
    if (fs::is_symlink(path, error)) {
        throw_file_error(path, "cannot be written", ELOOP);
    }
    return path;
}

/// The folder of a file that is to be made there.
void require_folder(const fs::path& path, const fs::path& target) {
    const fs::path folder = target.has_parent_path() ? target.parent_path() : ".";
    const PathKind kind = path_kind(folder);
    refuse_dangling_link(path, folder);
    if (kind == PathKind::nothing) {
        throw_file_error(path,
                         fmt::format("the folder {} does not exist", in_quotes(folder.string())));
    }
    if (kind != PathKind::folder) {
        throw_file_error(path, fmt::format("{} is not a folder", in_quotes(folder.string())));
    }
    if (::access(folder.c_str(), W_OK | X_OK) != 0) {
        throw_file_error(path, "cannot be created", errno);
    }
}

void write_by_renaming(const fs::path& path, const struct stat* existing,
                       std::span<const std::string_view> parts) {
    const fs::path target = behind_links(path);
    require_folder(path, target);
    TemporaryFile temporary(target);
    write_parts(temporary.descriptor(), path, parts);
    if (existing != nullptr && ::fchmod(temporary.descriptor(), existing->st_mode & 07777U) != 0) {
        throw_file_error(path, "cannot be given its permissions", errno);
    }
    temporary.publish();
}

}  // namespace

void refuse_dangling_link(const fs::path& path, const fs::path& link) {
    std::error_code none;
    if (path_kind(link) == PathKind::nothing && fs::is_symlink(link, none)) {
        throw_file_error(path,
                         fmt::format("{} is a link to {}, which does not exist; make that folder "
                                     "or name another one",
                                     in_quotes(link.string()),
                                     in_quotes(fs::read_symlink(link, none).string())));
    }
}

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

void require_place_for(const fs::path& path) {
    struct stat status = {};
    const bool exists = ::stat(path.c_str(), &status) == 0;
    if (!exists && errno != ENOENT && errno != ELOOP) {
        throw_file_error(path, "cannot be created", errno);  // a name that is too long
    }
    if (exists && ::access(path.c_str(), W_OK) != 0) {
        throw_file_error(path, "cannot be written", errno);
    }
    if (!own_descriptor(path) && (!exists || S_ISREG(status.st_mode))) {
        const fs::path target = behind_links(path);
        require_folder(path, target);
    }
}

void write_file_whole(const fs::path& path, std::string_view contents) {
    write_file_whole(path, std::span<const std::string_view>(&contents, 1));
}

// Creates and publishes temporary files.

namespace {

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

TemporaryFile::TemporaryFile(fs::path target)
    : target_(std::move(target)),
      file_((target_.parent_path() / ".ropescope-").string(), [this](const char* path) {
          // The kernel applies the umask to 0666; mkstemp would make a file for the owner alone.
          constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
          descriptor_ = ::open(path, kFlags, 0666);
          return descriptor_ >= 0;
      }) {
    if (!file_.is_there()) {
        RemovedAtEnd::throw_missing(target_, "cannot be created");
    }
}

TemporaryFile::~TemporaryFile() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
}

void TemporaryFile::publish() {
    // EINVAL: a file system that has nothing to sync. A full disk may show only here or in close().
    const bool synced = ::fsync(descriptor_) == 0 || errno == EINVAL;
    if (!synced || ::close(std::exchange(descriptor_, -1)) != 0) {
        throw_file_error(target_, "cannot be written", errno);
    }
    if (::rename(path().c_str(), target_.c_str()) != 0) {
        throw_file_error(target_, "cannot be replaced", errno);
    }
    file_.keep();
    sync_folder(target_.parent_path());
}

}  // namespace ropescope
