// Reading and writing whole files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace ropescope {

/// The whole file as text; throws InputError naming the path and the reason.
std::string read_file(const std::filesystem::path& path);

/// Read-only mapping. An empty file maps to an empty span.
struct MappedFile {
    std::shared_ptr<const void> owner;
    std::span<const std::byte> bytes;
};
MappedFile map_file(const std::filesystem::path& path);

/// Writes a temporary file beside `path` and renames it: whole or not at all. Where `path` is not a
/// regular file (a pipe, /dev/stdout) it is written directly. Throws InputError naming the path and
/// the reason.
void write_file_whole(const std::filesystem::path& path, std::string_view contents);

}  // namespace ropescope
