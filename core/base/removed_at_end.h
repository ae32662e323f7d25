// What this process makes under a temporary name, and what removes it however the process ends.
// Sources: removed_at_end.cpp, remove_tree.cpp.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace ropescope {

/// Removes a file, or a folder with all that is in it; links are removed and not followed. False if
/// something is left. Allocates nothing and needs two descriptors, however deep the folders are.
/// Safe in a signal's handler.
bool remove_tree(const char* path) noexcept;
/// Holds two descriptors for remove_tree(), so that a process that has no others left removes what
/// it made. False, with the reason in errno, if it cannot get them.
bool hold_descriptors_for_removal() noexcept;

/// A file or a folder with a name of its own. It is removed by the destructor, by the handlers of
/// remove_temporary_files_on_signals() and by remove_temporary_files(). A process that was forked
/// meanwhile leaves it alone.
class RemovedAtEnd {
  public:
    /// Makes what lies at a path; false, with the reason in errno, if it cannot.
    using Make = std::function<bool(const char* path)>;

    /// Tries the names FRONT, number of the process, "-", and 0, 1, 2, ... until one is free.
    /// is_there() says whether that went well; errno is as the last try has left it.
    RemovedAtEnd(std::string front, const Make& make);
    RemovedAtEnd(const RemovedAtEnd&) = delete;
    RemovedAtEnd& operator=(const RemovedAtEnd&) = delete;
    ~RemovedAtEnd();

    bool is_there() const { return is_there_; }
    /// Of one that is not: throws InputError that `about` cannot be `made`, and why, by errno.
    [[noreturn]] static void throw_missing(const std::filesystem::path& about,
                                           std::string_view cannot_be_made);
    const std::filesystem::path& path() const { return path_; }

    /// False if something is left.
    bool remove() noexcept;
    /// It has got a name that it keeps.
    void keep() noexcept;

  private:
    std::filesystem::path path_;
    bool is_there_ = false;
    int slot_ = -1;  // where a signal's handler finds path_, or -1
    pid_t owner_ = 0;
};

/// A folder of that kind.
class TemporaryFolder {
  public:
    /// `front` begins its path; `rights` are its permissions, of which the umask takes some away.
    /// Throws InputError that names `about`, or the folder, and the reason.
    TemporaryFolder(const std::filesystem::path& front, mode_t rights,
                    const std::filesystem::path& about = {});

    const std::filesystem::path& path() const { return folder_.path(); }
    bool remove() noexcept { return folder_.remove(); }
    /// Renames it to a name that is free; returns false if another run has taken the name by now.
    /// Throws InputError that names `target`.
    bool publish(const std::filesystem::path& target);

  private:
    RemovedAtEnd folder_;
};

/// The folder for temporary files: TMPDIR, or /tmp. Throws InputError if it is not a folder.
std::filesystem::path temporary_folder();

/// Removes all of it: before the program ends without destructors. Safe in a signal's handler.
void remove_temporary_files();

/// Whether a signal ends a process that does nothing about it, and is not SIGKILL.
bool ends_a_process(int signal);
/// Whether a signal tells a fault of the program itself.
bool tells_a_fault(int signal);

/// From now on every signal that ends the program, and does not tell a fault of its own, removes
/// all of it first; and a file that grows beyond the limit of the process is an error instead of a
/// signal. What is ignored (nohup) stays so. For main().
void remove_temporary_files_on_signals();

}  // namespace ropescope
