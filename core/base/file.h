// Reading whole files, and what lies at a path.
#pragma once

#include <cstddef>
#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/mapped_file.h"

namespace ropescope {

// The one-line errors about files.

/// Throws InputError: the path, made printable, and what is wrong with it.
[[noreturn]] inline void throw_file_error(const std::filesystem::path& path,
                                          std::string_view what) {
    throw InputError(fmt::format("{}: {}", printable(path.string()), what));
}

/// The same with the system's reason, an errno.
[[noreturn]] inline void throw_file_error(const std::filesystem::path& path, std::string_view what,
                                          int error) {
    throw_file_error(path, fmt::format("{}: {}", what, std::generic_category().message(error)));
}

// A file descriptor with an owner.

/// Closes the descriptor that it was given, unless that is negative.
class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~Descriptor() { close(); }

    int get() const { return fd_; }

    /// Returns 0, or -1 with errno: a full disk may show only here.
    int close() {
        const int fd = std::exchange(fd_, -1);
        return fd < 0 ? 0 : ::close(fd);
    }

  private:
    int fd_;
};

/// Largest file that read_file() accepts by default, and the most that is read of a pipe: 1 GiB.
inline constexpr std::size_t kMaxFileBytes = std::size_t{1} << 30;

enum class PathKind { nothing, file, folder, other };

/// Throws InputError with the system's reason if that cannot be found out: a folder that may not be
/// searched, a loop of links.
PathKind path_kind(const std::filesystem::path& path);

/// The path from the root, for people to read; as it is if the folder that we are in is gone.
std::filesystem::path whole_path(const std::filesystem::path& path);

/// What may be opened. A user may name a pipe; where a folder or another file names one, opening it
/// could wait for ever.
enum class Allowed { anything, regular_file };

/// A file or pipe that is open. A pipe can be read only once, so a caller that has looked at the
/// start passes the open file on. Every function throws InputError that names the path and the
/// reason.
class OpenedFile {
  public:
    explicit OpenedFile(std::filesystem::path path, Allowed allowed = Allowed::anything);

    const std::filesystem::path& path() const { return path_; }
    /// The first 16 bytes, or all if there are fewer: enough to tell the formats apart.
    std::string_view start() const { return start_; }
    /// Whether the bytes are those of a regular file, which can be read again.
    bool is_regular() const { return S_ISREG(status_.st_mode); }

    /// The contents, of at most `limit` bytes. A regular file that is longer is refused unread.
    std::string text(std::size_t limit) &&;
    /// The same bytes in memory: another process may shorten the file meanwhile.
    MappedFile load(std::size_t limit) &&;
    /// The bytes, mapped; those of a pipe in memory, and only its start if the caller has not
    /// recognised that.
    MappedFile map(bool recognised) &&;

  private:
    void read_on(std::string& text, std::size_t most) const;
    [[noreturn]] void fail_too_long(std::size_t limit) const;

    std::filesystem::path path_;
    Descriptor descriptor_;
    struct stat status_ = {};
    std::string start_;
};

/// Returns the contents of a file or pipe.
std::string read_file(const std::filesystem::path& path, std::size_t limit = kMaxFileBytes,
                      Allowed allowed = Allowed::anything);

}  // namespace ropescope
