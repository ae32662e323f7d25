// What depends on the kind of OpenGL and on the system's clocks.
// Sources: graphics.cpp for OpenGL 3.3; graphics_es.cpp for OpenGL ES 3.0, that is WebGL 2.
#pragma once

namespace ropescope::gui {

/// The first line of ImGui's shaders.
const char* shader_version();

/// Milliseconds that this thread has computed, whatever else the machine does meanwhile; where that
/// is not known, milliseconds that have passed.
double own_time_ms();

}  // namespace ropescope::gui
