// The one function that draws the window. The desktop app and the offscreen screenshot share it.
#pragma once

#include "app/gui/state/app_state.h"
#include "app/gui/toolkit/toolkit.h"

namespace ropescope::gui {

/// Asks for the faces and sizes that the window uses, before its first frame.
void want_fonts(const AppState& state, Toolkit& toolkit);

/// Builds the ImGui windows of one frame at the display's current size, between ImGui::NewFrame()
/// and ImGui::Render(). Handles the keys in state.keys. `seconds` since the last frame.
void draw_frame(AppState& state, Toolkit& toolkit, double seconds);

}  // namespace ropescope::gui
