// Writing whole files.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

namespace ropescope {

/// Writes a temporary file beside `path` and renames it, so that `path` is written whole or not at
/// all. A new file gets the permissions that the umask leaves; an existing one keeps its own. If
/// `path` is not a regular file (a pipe, a terminal) or names an open file of this process
/// (/dev/stdout, /dev/fd/3), it is written directly. Throws InputError that names the path and the
/// reason.
void write_file_whole(const std::filesystem::path& path, std::string_view contents);
/// The same from several parts, one after the other.
void write_file_whole(const std::filesystem::path& path, std::span<const std::string_view> parts);

}  // namespace ropescope
