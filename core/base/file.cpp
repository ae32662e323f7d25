// Opens and reads files through POSIX calls.
#include "core/base/file.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

namespace ropescope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kStartBytes = 16;

Descriptor open_to_read(const fs::path& path, Allowed allowed) {
    // Without O_NONBLOCK, opening a pipe that nobody writes to waits. Files are read as ever.
    const int wait = allowed == Allowed::regular_file ? O_NONBLOCK : 0;
    return Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | wait));
}

MappedFile in_memory(std::string bytes) {
    const auto owner = std::make_shared<const std::string>(std::move(bytes));
    return {owner, std::as_bytes(std::span<const char>(*owner))};
}

}  // namespace

PathKind path_kind(const fs::path& path) {
    struct stat status = {};
    if (::stat(path.c_str(), &status) != 0) {
        if (errno != ENOENT) {
            throw_file_error(path, "cannot be opened", errno);
        }
        return PathKind::nothing;
    }
    return S_ISDIR(status.st_mode)   ? PathKind::folder
           : S_ISREG(status.st_mode) ? PathKind::file
                                     : PathKind::other;
}

fs::path whole_path(const fs::path& path) {
    std::error_code gone;
    const fs::path whole = fs::absolute(path, gone);
    return (gone ? path : whole).lexically_normal();
}

OpenedFile::OpenedFile(fs::path path, Allowed allowed)
    : path_(std::move(path)), descriptor_(open_to_read(path_, allowed)) {
    if (descriptor_.get() < 0 || ::fstat(descriptor_.get(), &status_) != 0) {
        throw_file_error(path_, "cannot be opened", errno);
    }
    if (S_ISDIR(status_.st_mode)) {
        throw_file_error(path_, "is a folder; a file is expected");
    }
    if (!is_regular() && allowed == Allowed::regular_file) {
        throw_file_error(path_,
                         "is a pipe or a device; a regular file is expected here, so save the "
                         "contents to one");
    }
    if (is_regular()) {
        start_.resize(kStartBytes);
        const ssize_t got = ::pread(descriptor_.get(), start_.data(), start_.size(), 0);
        start_.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    } else {
        read_on(start_, kStartBytes);
    }
}

/// Appends to `text` until the file ends or `text` has `most` bytes.
void OpenedFile::read_on(std::string& text, std::size_t most) const {
    constexpr std::size_t kLeastChunk = std::size_t{1} << 16;
    ssize_t got = 1;
    while (got != 0 && text.size() < most) {
        const std::size_t length = text.size();
        // The buffer grows with the bytes that arrived; the size that a file states may be wrong.
        text.resize(std::min(most, length + std::max(kLeastChunk, length)));
        do {
            got = ::read(descriptor_.get(), text.data() + length, text.size() - length);
        } while (got < 0 && errno == EINTR);
        if (got < 0) {
            throw_file_error(path_, "cannot be read", errno);
        }
        text.resize(length + static_cast<std::size_t>(got));
    }
}

void OpenedFile::fail_too_long(std::size_t limit) const {
    throw_file_error(path_,
                     fmt::format("is longer than the {} bytes that are read at most", limit));
}

std::string OpenedFile::text(std::size_t limit) && {
    if (is_regular() && static_cast<std::uint64_t>(status_.st_size) > limit) {
        fail_too_long(limit);
    }
    std::string text = is_regular() ? "" : std::move(start_);
    read_on(text, limit + 1);
    if (text.size() > limit) {
        fail_too_long(limit);
    }
    return text;
}

MappedFile OpenedFile::load(std::size_t limit) && {
    return in_memory(std::move(*this).text(limit));
}

MappedFile OpenedFile::map(bool recognised) && {
    if (!is_regular()) {
        return recognised ? std::move(*this).load(kMaxFileBytes) : in_memory(std::move(start_));
    }
    return map_file(descriptor_.get(), static_cast<std::size_t>(status_.st_size), path_);
}

std::string read_file(const fs::path& path, std::size_t limit, Allowed allowed) {
    return OpenedFile(path, allowed).text(limit);
}

}  // namespace ropescope
