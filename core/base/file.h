// Reading and writing whole files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace ropescope {

inline constexpr std::size_t kMaxFileBytes = std::size_t{1} << 30;

/// The whole file (or pipe) as text; throws InputError naming the path and the reason, also when
/// there is more than `limit`.
std::string read_file(const std::filesystem::path& path, std::size_t limit = kMaxFileBytes);

/// Read-only mapping. An empty file maps to an empty span; a pipe is read into memory. A file that
/// somebody shortens while it is mapped is out of scope: touching the lost pages ends the process.
struct MappedFile {
    std::shared_ptr<const void> owner;
    std::span<const std::byte> bytes;
};
MappedFile map_file(const std::filesystem::path& path);

/// Part of a mapped regular file leaves this process's memory until it is touched again. Never of
/// other memory, which would lose its contents.
void release_mapped(std::span<const std::byte> bytes);

/// Writes a temporary file beside `path` and renames it: whole or not at all. A new file gets the
/// permissions that the umask leaves, an existing one keeps its own. Where `path` is not a regular
/// file (a pipe, /dev/stdout) it is written directly. Throws InputError naming the path and the
/// reason.
void write_file_whole(const std::filesystem::path& path, std::string_view contents);
/// The same from several parts, one after the other.
void write_file_whole(const std::filesystem::path& path, std::span<const std::string_view> parts);

}  // namespace ropescope
