// The desktop app: a GLFW window around draw_frame().
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "app/gui/background/engine_source.h"
#include "app/scene/scene.h"

namespace ropescope::gui {

struct AppState;

struct AppOptions {
    std::string theme = "dark";
    bool theme_given = false;  ///< by the user; else the window remembers one
    /// Where the window remembers its theme, size and scene, and beside it the progress of lessons;
    /// empty: nothing is read or written.
    std::filesystem::path preferences = {};
    std::string lesson = {};     ///< opened at the start; empty: none
    bool restore_scene = false;  ///< the last scene, in place of the one that run_app() is given
    std::function<void(const std::string& line)> tell = {};  ///< one line for the user
    /// Called if the X server ends while the window is open, with Xlib's display, whose connection
    /// is gone. It must end the process: nothing that Xlib knows can be used or destroyed any more.
    int (*on_lost_display)(void* display) = nullptr;
    /// If set, called when the first frame is drawn; then the window ends.
    std::function<void()> after_first_frame = {};
    /// Called before the window waits, when it has drawn everything: a test then knows what it
    /// shows. May be empty.
    std::function<void(const AppState&)> at_rest = {};
};

struct AppEngines {
    EngineSource source;
    /// Called once with the window's context current, before the window is visible: engines that
    /// the source opens later may share with this context. If the window must not open without a
    /// GPU, returns its engine, or throws CapabilityError if there is none; else returns null.
    std::function<std::unique_ptr<Engine>()> with_context = {};
    bool gpu_wanted = false;  ///< the window begins on the GPU if there is one
};

/// Runs until the window is closed. Throws CapabilityError if there is no display or no OpenGL 3.3,
/// and whatever with_context() throws.
void run_app(const Scene& scene, const AppEngines& engines, const AppOptions& options);

}  // namespace ropescope::gui
