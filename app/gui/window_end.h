// What ends the window from outside: signals, as at the end of a session, and the end of the X
// server.
#pragma once

#include <functional>

namespace ropescope::gui {

/// While it lives, the first SIGHUP, SIGINT or SIGTERM is noted instead of ending the program, so
/// that the window can save what it remembers; unless the signal is ignored (nohup). A second one,
/// or five seconds in which the window does not go on, end the program as if this were not there.
/// One may live at a time.
class NotedSignals {
  public:
    NotedSignals();
    ~NotedSignals();
    NotedSignals(const NotedSignals&) = delete;
    NotedSignals& operator=(const NotedSignals&) = delete;

    /// 0 if none has come.
    static int taken();
};

/// While it lives, the end of the X server calls `save` on the thread that made this, and then
/// `end_process`, which must not return: nothing that Xlib knows can be used or destroyed any more.
/// If the end is noticed on another thread, `save` is left out. One may live at a time.
class EndOfDisplay {
  public:
    /// `end_process`: null if Xlib is to end the process with exit code 1, as it does by itself.
    EndOfDisplay(std::function<void()> save, int (*end_process)(void* display));
    ~EndOfDisplay();
    EndOfDisplay(const EndOfDisplay&) = delete;
    EndOfDisplay& operator=(const EndOfDisplay&) = delete;
};

}  // namespace ropescope::gui
