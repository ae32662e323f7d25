// A file under a temporary name, renamed to its final name once it is complete.
#pragma once

#include <filesystem>

namespace ropescope {

/// Creates a new, empty file with a name of its own in the folder of `target`. The destructor
/// removes it unless publish() has renamed it. Throws InputError that names `target` and the
/// reason.
class TemporaryFile {
  public:
    explicit TemporaryFile(std::filesystem::path target);
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile();

    /// The open file, for writing.
    int descriptor() const { return descriptor_; }

    /// Renames the file to `target`, after its contents and before the folder's entry are on the
    /// disk: a power cut leaves the old file or the new one. Throws InputError.
    void publish();

  private:
    std::filesystem::path target_;
    std::filesystem::path path_;
    int descriptor_ = -1;
    int slot_ = -1;  // where the signal handler finds path_, or -1
};

/// Removes every temporary file: before the program ends without destructors. Safe in a signal's
/// handler.
void remove_temporary_files();

/// From now on SIGHUP, SIGINT and SIGTERM remove every temporary file before they end the program,
/// and a file that grows beyond the limit of the process is an error instead of a signal. For
/// main().
void remove_temporary_files_on_signals();

}  // namespace ropescope
