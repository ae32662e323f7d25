// The desktop app: a GLFW window around draw_frame().
#pragma once

#include "app/scene/scene.h"
#include "core/engine/engine.h"

namespace ropescope::gui {

struct AppOptions {
    std::string theme = "dark";
    /// Prints how long the first frame took after the process began, and ends.
    bool time_first_frame = false;
};

/// Runs until the window is closed. Throws CapabilityError without a display or without OpenGL 3.3.
void run_app(const Scene& scene, Engine& engine, const AppOptions& options);

}  // namespace ropescope::gui
