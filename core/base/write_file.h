// Writing whole files.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "core/base/removed_at_end.h"

namespace ropescope {

/// Writes a temporary file beside `path` and renames it, so that `path` is written whole or not at
/// all. A new file gets the permissions that the umask leaves; an existing one keeps its own. If
/// `path` is not a regular file (a pipe, a terminal) or names an open file of this process
/// (/dev/stdout, /dev/fd/3), it is written directly. Throws InputError that names the path and the
/// reason.
void write_file_whole(const std::filesystem::path& path, std::string_view contents);
/// The same from several parts, one after the other.
void write_file_whole(const std::filesystem::path& path, std::span<const std::string_view> parts);

/// Throws InputError, as write_file_whole() does, if a file cannot be made where `path` leads:
/// asked before long work. What happens meanwhile is found by write_file_whole().
void require_place_for(const std::filesystem::path& path);
/// Throws InputError about `path` if `link` is a link to nothing: what would be said of a folder
/// that is missing is not true of it.
void refuse_dangling_link(const std::filesystem::path& path, const std::filesystem::path& link);

// A file under a temporary name, renamed to its final name once it is complete.

/// Creates a new, empty file with a name of its own in the folder of `target`. The destructor
/// removes it unless publish() has renamed it. Throws InputError that names `target` and the
/// reason.
class TemporaryFile {
  public:
    explicit TemporaryFile(std::filesystem::path target);
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile();

    const std::filesystem::path& path() const { return file_.path(); }
    /// The open file, for writing.
    int descriptor() const { return descriptor_; }

    /// Renames the file to `target`, after its contents and before the folder's entry are on the
    /// disk: a power cut leaves the old file or the new one. Throws InputError.
    void publish();

  private:
    std::filesystem::path target_;
    int descriptor_ = -1;
    RemovedAtEnd file_;
};

}  // namespace ropescope
