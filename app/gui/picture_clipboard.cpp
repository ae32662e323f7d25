// Starts a program that reads the picture and offers it from then on, as X11 and Wayland want it.
#include "app/gui/picture_clipboard.h"

#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/error.h"
#include "core/base/file.h"

namespace ropescope::gui {
namespace {

/// A file in memory that holds the bytes and is read from its beginning: a program that ends early
/// cannot hurt us, as it could with a pipe.
Descriptor file_of(const std::string& bytes) {
    Descriptor file(::memfd_create("picture", MFD_CLOEXEC));
    std::size_t written = 0;
    while (file.get() >= 0 && written < bytes.size()) {
        const ssize_t some = ::write(file.get(), bytes.data() + written, bytes.size() - written);
        if (some <= 0) {
            break;
        }
        written += static_cast<std::size_t>(some);
    }
    if (written < bytes.size() || ::lseek(file.get(), 0, SEEK_SET) != 0) {
        throw CapabilityError("copy: there is no memory for the picture; export a file: Ctrl + E");
    }
    return file;
}

/// Returns false if it is not installed.
template <std::size_t N>
bool run(std::array<const char*, N> command, const Descriptor& input, int& status) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input.get(), STDIN_FILENO);
    // What serves the clipboard lives on, and must not hold our output open.
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = -1;
    const int failed = ::posix_spawnp(&child, command[0], &actions, nullptr,
                                      const_cast<char* const*>(command.data()), environ);
    posix_spawn_file_actions_destroy(&actions);
    return failed == 0 && ::waitpid(child, &status, 0) == child;
}

}  // namespace

void put_picture_on_clipboard(const std::string& png) {
    const Descriptor picture = file_of(png);
    const bool wayland = std::getenv("WAYLAND_DISPLAY") != nullptr;
    int status = 0;
    const bool started =
        wayland
            ? run(std::array{"wl-copy", "--type", "image/png", static_cast<const char*>(nullptr)},
                  picture, status)
            : run(std::array{"xclip", "-selection", "clipboard", "-t", "image/png",
                             static_cast<const char*>(nullptr)},
                  picture, status);
    const char* const name = wayland ? "wl-copy" : "xclip";
    if (!started) {
        throw CapabilityError(fmt::format(
            "copy: {} is not installed, which keeps pictures on the clipboard; install {}, or "
            "export a file: Ctrl + E",
            name, wayland ? "wl-clipboard" : name));
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        throw CapabilityError(
            fmt::format("copy: {} could not take the picture; export a file: Ctrl + E", name));
    }
}

}  // namespace ropescope::gui
