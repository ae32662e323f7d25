// The desktop app: a GLFW window around draw_frame().
#pragma once

#include "app/gui/engine_source.h"
#include "app/scene/scene.h"

namespace ropescope::gui {

struct AppOptions {
    std::string theme = "dark";
    /// Prints how long the first frame took after the process began, and ends.
    bool time_first_frame = false;
};

struct AppEngines {
    EngineSource source;
    std::unique_ptr<Engine> gpu = {};  ///< where it is open already
    bool gpu_wanted = false;           ///< to begin with, when there is one
};

/// Runs until the window is closed. Throws CapabilityError without a display or without OpenGL 3.3.
void run_app(const Scene& scene, AppEngines engines, const AppOptions& options);

}  // namespace ropescope::gui
