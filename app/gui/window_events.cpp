// What the window takes from GLFW and gives back: its events, and pictures for the clipboard.
#include "app/gui/window_events.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <algorithm>
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

// Collects GLFW's events, and waits for them.

namespace {

Input& input_of(GLFWwindow* window) {
    return *static_cast<Input*>(glfwGetWindowUserPointer(window));
}

/// For every kind of event but keys.
template <typename... Details>
void on_event(GLFWwindow* window, Details...) {
    input_of(window).any = true;
}

/// The letter that the keyboard's layout has on the key, as GLFW's constant: on a German or
/// Hungarian keyboard Z and Y change places.
int key_as_written(int key, int scancode) {
    if (key < GLFW_KEY_A || key > GLFW_KEY_Z) {
        return key;
    }
    const char* name = glfwGetKeyName(key, scancode);
    const bool letter = name != nullptr && name[0] >= 'a' && name[0] <= 'z' && name[1] == '\0';
    return letter ? GLFW_KEY_A + (name[0] - 'a') : key;
}

void on_key(GLFWwindow* window, int key, int scancode, int action, int mods) {
    input_of(window).any = true;
    if (action == GLFW_RELEASE || (mods & (GLFW_MOD_ALT | GLFW_MOD_SUPER)) != 0) {
        return;
    }
    input_of(window).keys.push_back({key_as_written(key, scancode), (mods & GLFW_MOD_CONTROL) != 0,
                                     (mods & GLFW_MOD_SHIFT) != 0, action == GLFW_REPEAT});
}

void on_character(GLFWwindow* window, unsigned int codepoint) {
    input_of(window).any = true;
    if (codepoint == '?') {  // on another key in every layout
        input_of(window).keys.push_back({GLFW_KEY_F1});
    }
}

void on_drop(GLFWwindow* window, int count, const char** paths) {
    input_of(window).any = true;
    if (count > 0) {
        input_of(window).dropped = paths[0];
    }
}

}  // namespace

void listen(GLFWwindow* window, Input& input) {
    glfwSetWindowUserPointer(window, &input);
    glfwSetKeyCallback(window, on_key);
    glfwSetCharCallback(window, on_character);
    glfwSetCursorPosCallback(window, on_event);
    glfwSetCursorEnterCallback(window, on_event);
    glfwSetMouseButtonCallback(window, on_event);
    glfwSetDropCallback(window, on_drop);
    glfwSetScrollCallback(window, on_event);
    glfwSetWindowFocusCallback(window, on_event);
    glfwSetWindowRefreshCallback(window, on_event);
    glfwSetFramebufferSizeCallback(window, on_event);
    glfwSetWindowContentScaleCallback(window, on_event);
}

bool wait_for_event(double seconds) {
    if (seconds <= 0) {
        glfwPollEvents();
        return false;
    }
    const double most = std::min(seconds, kLongestSleep), before = glfwGetTime();
    glfwWaitEventsTimeout(most);
    return glfwGetTime() - before >= 0.9 * most;
}

// Starts a program that reads the picture and offers it from then on, as X11 and Wayland want it.

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
