// Pictures on the system's clipboard, which GLFW does not offer.
#pragma once

#include <string>

namespace ropescope::gui {

/// Hands the bytes of a PNG to the program of the desktop that keeps the clipboard: wl-copy on
/// Wayland, else xclip. Throws CapabilityError if it is not installed or fails.
void put_picture_on_clipboard(const std::string& png);

}  // namespace ropescope::gui
