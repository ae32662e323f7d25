// Files mapped into memory, and what happens when another process makes one shorter.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

namespace ropescope {

/// The bytes of a file, mapped read-only, or bytes in memory. Whoever makes the file shorter takes
/// pages away: the system ends the process that reads them by SIGBUS, unless on_lost_pages() says
/// otherwise.
struct MappedFile {
    std::shared_ptr<const void> owner;
    std::span<const std::byte> bytes;
};

/// Maps the first `size` bytes of an open file; no bytes give an empty span. Throws InputError that
/// names `path` and the reason.
MappedFile map_file(int descriptor, std::size_t size, const std::filesystem::path& path);

/// Lets the pages of part of a mapped regular file leave memory until they are read again. Never
/// call this for other memory: it would lose its contents.
void release_mapped(std::span<const std::byte> bytes);

/// What is said of such a file, after its path.
inline constexpr std::string_view kLostPages =
    "lost bytes while it was read: another process made it shorter, or its disk failed; see that "
    "nothing writes to it and read it again";

/// Is told the printable path of a mapped file of which a page can no longer be read, in a signal's
/// handler, on the thread that reads it.
using LostPages = void (*)(const char* path) noexcept;

/// From now on `end` is called for such a page and ends the process; without `end` the page reads
/// as zeros, and throw_if_pages_were_lost() tells it. Of 1024 files at once, no more. For main()
/// and for the window; a library leaves signals to the program that it is in.
void on_lost_pages(LostPages end);

/// Throws InputError that names the file if pages of one were lost since the last call: call it
/// before the numbers of mapped files are shown.
void throw_if_pages_were_lost();

}  // namespace ropescope
