// Reads and maps whole files through POSIX calls.
#include "core/base/file.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/descriptor.h"
#include "core/base/file_error.h"

namespace ropescope {
namespace {

namespace fs = std::filesystem;

struct OpenFile {
    Descriptor descriptor;
    struct stat status = {};
};

/// Opens for reading what can be read to an end: a file, a pipe or a terminal.
OpenFile open_for_reading(const fs::path& path) {
    OpenFile file{Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC))};
    if (file.descriptor.get() < 0 || ::fstat(file.descriptor.get(), &file.status) != 0) {
        throw_file_error(path, "cannot be opened", errno);
    }
    if (S_ISDIR(file.status.st_mode)) {
        throw_file_error(path, "is a folder; a file is expected");
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
            throw_file_error(path, "cannot be read", errno);
        }
        text.resize(length + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        if (text.size() > limit) {
            throw_file_error(
                path, fmt::format("is longer than the {} bytes that are read at most", limit));
        }
        if (got == 0) {
            return text;
        }
    }
}

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
        throw_file_error(path, "cannot be mapped", errno);
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

}  // namespace ropescope
