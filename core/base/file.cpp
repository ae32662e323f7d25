// Reads, maps and writes whole files through POSIX calls.
#include "core/base/file.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "core/base/error.h"
#include "core/base/printable.h"

namespace ropescope {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, std::string_view what) {
    throw InputError(fmt::format("{}: {}", printable(path.string()), what));
}

[[noreturn]] void fail_errno(const fs::path& path, std::string_view what, int error) {
    fail(path, fmt::format("{}: {}", what, std::generic_category().message(error)));
}

class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { close(); }

    int get() const { return fd_; }
    /// 0 or -1 with errno: a full disk may show only here.
    int close() {
        const int result = fd_ < 0 ? 0 : ::close(fd_);
        fd_ = -1;
        return result;
    }

  private:
    int fd_;
};

struct OpenFile {
    Descriptor descriptor;
    struct stat status = {};
};

/// Opens for reading what can be read to an end: a file, a pipe or a terminal.
OpenFile open_for_reading(const fs::path& path) {
    OpenFile file{Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC))};
    if (file.descriptor.get() < 0 || ::fstat(file.descriptor.get(), &file.status) != 0) {
        fail_errno(path, "cannot be opened", errno);
    }
    if (S_ISDIR(file.status.st_mode)) {
        fail(path, "is a folder; a file is expected");
    }
    return file;
}

std::string read_to_end(const OpenFile& file, const fs::path& path, std::size_t limit) {
    constexpr std::size_t kLeastChunk = std::size_t{1} << 16;
    std::string text;
    while (true) {
        const std::size_t length = text.size();
        // The buffer grows with the bytes that arrived; the size that a file states may be wrong.
        text.resize(length + std::max(kLeastChunk, length));
        const ssize_t got =
            ::read(file.descriptor.get(), text.data() + length, text.size() - length);
        if (got < 0 && errno != EINTR) {
            fail_errno(path, "cannot be read", errno);
        }
        text.resize(length + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        if (text.size() > limit) {
            fail(path, fmt::format("is longer than the {} bytes that are read at most", limit));
        }
        if (got == 0) {
            return text;
        }
    }
}

void write_parts(int fd, const fs::path& path, std::span<const std::string_view> parts) {
    for (std::string_view part : parts) {
        while (!part.empty()) {
            const ssize_t put = ::write(fd, part.data(), part.size());
            if (put < 0 && errno != EINTR) {
                fail_errno(path, "cannot be written", errno);
            }
            part.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(put, 0)));
        }
    }
}

/// Pipes, terminals, and what lies in /dev: renaming a file over them would miss their reader.
void write_directly(const fs::path& path, std::span<const std::string_view> parts) {
    // Opening /dev/stdout anew would start at byte 0 of a file that the shell appends to.
    Descriptor out(path == "/dev/stdout" ? ::dup(STDOUT_FILENO)
                                         : ::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (out.get() < 0) {
        fail_errno(path, "cannot be opened for writing", errno);
    }
    write_parts(out.get(), path, parts);
    if (out.close() != 0) {
        fail_errno(path, "cannot be written", errno);
    }
}

/// A new file with a name of its own beside the target; removed again unless it was renamed.
class TemporaryFile {
  public:
    explicit TemporaryFile(const fs::path& target) {
        static std::atomic<unsigned> counter{0};
        // The kernel applies the umask to 0666; mkstemp would make a file for the owner alone.
        constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
        do {
            path_ = target.parent_path() / fmt::format(".ropescope-{}-{}", ::getpid(), counter++);
            fd_ = ::open(path_.c_str(), kFlags, 0666);
        } while (fd_ < 0 && errno == EEXIST);
        if (fd_ < 0) {
            fail_errno(target, "cannot be created", errno);
        }
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() {
        if (fd_ >= 0) {
            ::close(fd_);
        }
        if (!path_.empty()) {
            ::unlink(path_.c_str());
        }
    }

    int fd() const { return fd_; }

    void rename_to(const fs::path& target) {
        if (::close(std::exchange(fd_, -1)) != 0) {
            fail_errno(target, "cannot be written", errno);
        }
        if (::rename(path_.c_str(), target.c_str()) != 0) {
            fail_errno(target, "cannot be replaced", errno);
        }
        path_.clear();
    }

  private:
    fs::path path_;
    int fd_ = -1;
};

}  // namespace

std::string read_file(const fs::path& path, std::size_t limit) {
    return read_to_end(open_for_reading(path), path, limit);
}

MappedFile map_file(const fs::path& path) {
    const OpenFile file = open_for_reading(path);
    if (!S_ISREG(file.status.st_mode)) {
        const auto text =
            std::make_shared<const std::string>(read_to_end(file, path, kMaxFileBytes));
        return {text, std::as_bytes(std::span<const char>(*text))};
    }
    const auto size = static_cast<std::size_t>(file.status.st_size);
    if (size == 0) {
        return {};
    }
    void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.descriptor.get(), 0);
    if (address == MAP_FAILED) {
        fail_errno(path, "cannot be mapped", errno);
    }
    const std::shared_ptr<const void> owner(address,
                                            [size](void* mapped) { ::munmap(mapped, size); });
    return {owner, {static_cast<const std::byte*>(owner.get()), size}};
}

void release_mapped(std::span<const std::byte> bytes) {
    // Whole pages only: the first and the last may hold other tensors' bytes too.
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto begin = (reinterpret_cast<std::uintptr_t>(bytes.data()) + page - 1) / page * page;
    const auto end = reinterpret_cast<std::uintptr_t>(bytes.data() + bytes.size()) / page * page;
    if (begin < end) {
        // Advice only: a refusal costs memory and nothing else.
        ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
    }
}

void write_file_whole(const fs::path& path, std::span<const std::string_view> parts) {
    if (path.empty()) {
        throw InputError("output: the name is empty; give the name of a file");
    }
    struct stat status = {};
    const bool exists = ::stat(path.c_str(), &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) {
        fail(path, "is a folder; give the name of a file");
    }
    if (path.native().starts_with("/dev/") || (exists && !S_ISREG(status.st_mode))) {
        write_directly(path, parts);
        return;
    }
    if (exists && ::access(path.c_str(), W_OK) != 0) {
        fail_errno(path, "cannot be written", errno);
    }
    // Through a symbolic link it is the file behind it that is replaced, not the link.
    std::error_code ignored;
    const fs::path real = exists ? fs::canonical(path, ignored) : path;
    const fs::path& target = real.empty() ? path : real;
    if (target.has_parent_path() && !fs::exists(target.parent_path(), ignored)) {
        fail(path,
             fmt::format("the folder {} does not exist", in_quotes(target.parent_path().string())));
    }
    TemporaryFile temporary(target);
    write_parts(temporary.fd(), path, parts);
    if (exists && ::fchmod(temporary.fd(), status.st_mode & 07777U) != 0) {
        fail_errno(path, "cannot be given its permissions", errno);
    }
    temporary.rename_to(target);
}

void write_file_whole(const fs::path& path, std::string_view contents) {
    write_file_whole(path, std::span<const std::string_view>(&contents, 1));
}

}  // namespace ropescope
