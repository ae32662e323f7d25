// What the window takes from GLFW and gives back: its events, and pictures for the clipboard.
#pragma once

#include <string>
#include <vector>

#include "app/gui/state/keys.h"

// The events of the window: what GLFW's callbacks collect between two frames, and waiting for more.

struct GLFWwindow;

namespace ropescope::gui {

/// The events since the last frame, which GLFW's callbacks reach through the window.
struct Input {
    std::vector<KeyPress> keys;
    std::string dropped;  ///< path of the file that was dropped last; empty if none waits
    bool any = false;
};

/// Sets the callbacks. Call it before ImGui's backend starts, whose own callbacks call these.
void listen(GLFWwindow* window, Input& input);

/// A driver's thread that shares our connection to the X server, as that of zink does, can take an
/// event off the line and put it into the queue without waking who sleeps on the line. So nobody
/// sleeps longer than this without a look into the queue.
inline constexpr double kLongestSleep = 0.25;  // seconds

/// Sleeps until an event comes or `seconds` have passed, at most kLongestSleep. Returns whether the
/// whole time has passed.
bool wait_for_event(double seconds);

// Pictures on the system's clipboard, which GLFW does not offer.

/// Hands the bytes of a PNG to the program of the desktop that keeps the clipboard: wl-copy on
/// Wayland, else xclip. Throws CapabilityError if it is not installed or fails.
void put_picture_on_clipboard(const std::string& png);

}  // namespace ropescope::gui
