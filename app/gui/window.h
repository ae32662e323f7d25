// The desktop app: a GLFW window around draw_frame().
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/gui/background/engine_source.h"
#include "app/scene/scene.h"

namespace ropescope::gui {

struct AppState;

struct AppOptions {
    std::string theme = "dark";
    /// Prints how long the first frame took after the process began, and ends.
    bool time_first_frame = false;
    /// Called before the window waits, when it has drawn all that there is to draw: a test then
    /// knows what it shows. May be empty.
    std::function<void(const AppState&)> at_rest = {};
};

struct AppEngines {
    EngineSource source;
    /// Called once with the window's context current, before anything is seen: what the source
    /// opens from then on may share with it. Returns the GPU's engine where the window shall not
    /// open without one, and throws CapabilityError where it cannot.
    std::function<std::unique_ptr<Engine>()> with_context = {};
    bool gpu_wanted = false;  ///< to begin with, when there is one
};

/// Runs until the window is closed. Throws CapabilityError without a display or without OpenGL 3.3,
/// and what with_context() throws.
void run_app(const Scene& scene, const AppEngines& engines, const AppOptions& options);

}  // namespace ropescope::gui
