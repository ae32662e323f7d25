// Reading whole files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace ropescope {

/// Largest file that read_file() accepts by default, 1 GiB.
inline constexpr std::size_t kMaxFileBytes = std::size_t{1} << 30;

/// Returns the contents of a file or pipe. Throws InputError that names the path and the reason,
/// also if there are more than `limit` bytes.
std::string read_file(const std::filesystem::path& path, std::size_t limit = kMaxFileBytes);

/// The bytes of a file, mapped read-only. An empty file gives an empty span; a pipe is read into
/// memory. If another process shortens the file while it is mapped, reading the lost pages ends
/// this process; we do not guard against that.
struct MappedFile {
    std::shared_ptr<const void> owner;
    std::span<const std::byte> bytes;
};
/// Throws InputError that names the path and the reason.
MappedFile map_file(const std::filesystem::path& path);

/// Lets the pages of part of a mapped regular file leave memory until they are read again. Never
/// call this for other memory: it would lose its contents.
void release_mapped(std::span<const std::byte> bytes);

}  // namespace ropescope
