// Draws the window, for the desktop app and for screenshots without a display.
#pragma once

#include "app/gui/state/app_state.h"
#include "app/gui/toolkit/toolkit.h"

namespace ropescope::gui {

/// Asks for the faces and sizes that the window uses, before its first frame.
void want_fonts(const AppState& state, Toolkit& toolkit);

/// Builds the ImGui windows of one frame at the display's current size, and handles the keys in
/// state.keys. Call it between ImGui::NewFrame() and ImGui::Render(). `seconds`: since the last
/// frame.
void draw_frame(AppState& state, Toolkit& toolkit, double seconds);

}  // namespace ropescope::gui
