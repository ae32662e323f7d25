// What the window knows beside the scene, and the one function that draws a frame of it. The
// desktop app and the offscreen screenshot share both.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/figures/view.h"
#include "app/plot/color.h"
#include "app/plot/figure.h"
#include "app/scene/scene.h"
#include "core/engine/engine.h"

namespace ropescope::gui {

struct AppState {
    Scene scene;
    std::vector<Scene> undo, redo;
    plot::Theme theme = plot::dark_theme();
    double scale = 1;  ///< display scale: type and spacing
    bool playing = false;
    double play_position = 0;            ///< fractional position while playing
    std::string message;                 ///< the error shown; the last good figure stays
    std::optional<plot::Figure> figure;  ///< of `figure_scene`
    Scene figure_scene;
    double frame_ms = 0;  ///< our own CPU time of the last frame
    Engine* engine = nullptr;
};

/// Builds the ImGui windows of one frame at the display's current size. `seconds` since the last
/// frame.
void draw_frame(AppState& state, double seconds);

}  // namespace ropescope::gui
