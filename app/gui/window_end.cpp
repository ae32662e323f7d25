// Notes signals, and saves what the window remembers when the X server ends.
#include "app/gui/window_end.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <dlfcn.h>
#include <exception>
#include <thread>
#include <unistd.h>
#include <utility>

#include "core/base/write_file.h"

namespace ropescope::gui {

// Signals. A handler can reach nothing but static memory.

namespace {

constexpr std::array kNotedSignals = {SIGHUP, SIGINT, SIGTERM};
constexpr unsigned kLongestFrame = 5;  // seconds

volatile std::sig_atomic_t noted_signal = 0;
struct sigaction handlers_before[kNotedSignals.size()] = {};
bool is_installed[kNotedSignals.size()] = {};

void restore_handlers() {
    for (std::size_t i = 0; i < kNotedSignals.size(); ++i) {
        if (is_installed[i]) {
            ::sigaction(kNotedSignals[i], &handlers_before[i], nullptr);
        }
    }
}

extern "C" void end_a_window_that_hangs(int /*alarm*/) {
    remove_temporary_files();
    ::raise(noted_signal);  // whose handler ends the program; held back until this one is left
}

extern "C" void note_signal(int signal) {
    noted_signal = signal;
    restore_handlers();
    ::alarm(kLongestFrame);
}

}  // namespace

NotedSignals::NotedSignals() {
    noted_signal = 0;
    struct sigaction note = {};
    note.sa_handler = note_signal;
    for (std::size_t i = 0; i < kNotedSignals.size(); ++i) {
        is_installed[i] = ::sigaction(kNotedSignals[i], nullptr, &handlers_before[i]) == 0 &&
                          handlers_before[i].sa_handler != SIG_IGN &&
                          ::sigaction(kNotedSignals[i], &note, nullptr) == 0;
    }
    std::signal(SIGALRM, end_a_window_that_hangs);
}

NotedSignals::~NotedSignals() {
    ::alarm(0);
    std::signal(SIGALRM, SIG_DFL);
    restore_handlers();
    std::ranges::fill(is_installed, false);
}

int NotedSignals::taken() {
    return noted_signal;
}

// The end of the X server. Xlib's handler gets nothing of ours, so what it calls is static.

namespace {

struct AtEndOfDisplay {
    std::function<void()> save = {};
    int (*end_process)(void* display) = nullptr;
    std::thread::id thread = {};
    void (*pipe_handler)(int) = SIG_DFL;  ///< of SIGPIPE, before
};

AtEndOfDisplay& at_end_of_display() {
    static AtEndOfDisplay what;
    return what;
}

int save_and_end(void* display) {
    AtEndOfDisplay& what = at_end_of_display();
    const std::function<void()> save = std::exchange(what.save, nullptr);
    if (save && std::this_thread::get_id() == what.thread) {
        try {
            save();
        } catch (const std::exception&) {
            // The process ends all the same, and Xlib says why.
        }
    }
    return what.end_process == nullptr ? 0 : what.end_process(display);
}

/// Xlib ends the process with exit code 1 if its server ends; a handler may choose another end.
/// GLFW brings Xlib along if there is an X server, and we link against neither it nor Wayland.
void set_xlib_handler(int (*handler)(void* display)) {
    using SetHandler = void* (*)(int (*)(void*));
    void* xlib = dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);
    if (xlib == nullptr) {
        return;
    }
    if (const auto set = reinterpret_cast<SetHandler>(dlsym(xlib, "XSetIOErrorHandler"))) {
        set(handler);
    }
}

}  // namespace

EndOfDisplay::EndOfDisplay(std::function<void()> save, int (*end_process)(void* display)) {
    // What is written to a server that has ended must fail, and not end the process before Xlib has
    // seen it.
    at_end_of_display() = {std::move(save), end_process, std::this_thread::get_id(),
                           std::signal(SIGPIPE, SIG_IGN)};
    set_xlib_handler(save_and_end);
}

EndOfDisplay::~EndOfDisplay() {
    at_end_of_display().save = nullptr;
    std::signal(SIGPIPE, at_end_of_display().pipe_handler);
}

}  // namespace ropescope::gui
