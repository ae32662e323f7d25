// The events of the window: what GLFW's callbacks collect between two frames, and waiting for more.
#pragma once

#include <string>
#include <vector>

#include "app/gui/state/keys.h"

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

}  // namespace ropescope::gui
