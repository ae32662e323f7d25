// A display of its own for a test (Xvfb), a program on it, a person's hands (xdotool) and eyes.
#pragma once

#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

#include "app/headless/screenshot.h"

namespace ropescope::test {

/// A program that runs beside the test. Ended by its process id, with SIGTERM, at the latest when
/// this is destroyed.
class ChildProcess {
  public:
    /// `pass_fd`: a file descriptor that it keeps. Throws std::runtime_error when it cannot start.
    ChildProcess(const std::vector<std::string>& command,
                 const std::vector<std::pair<std::string, std::string>>& environment = {},
                 int pass_fd = -1);
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    bool alive();
    /// The exit code, 128 + signal, or -1 when it does not end within the seconds.
    int wait(double seconds);

  private:
    pid_t pid_ = -1;
    int status_ = 0;
};

class Display {
  public:
    /// Starts Xvfb on a free display that it finds itself. A key that is held does not repeat: on a
    /// busy machine any key may be held for long.
    Display(int width, int height);
    const std::string& name() const { return name_; }
    /// Ends Xvfb, whatever is on it.
    void end() { server_.reset(); }

    /// One xdotool call: {"mousemove", "10", "20"}.
    void act(const std::vector<std::string>& arguments) const;
    /// Waits until the program's window is seen. A window that goes while the tool looks at it, as
    /// a toolkit makes one to ask the server, ends the tool; it is asked again then.
    void wait_for_window() const;
    /// Down, a moment, up: a key that goes down and up at once can be lost.
    void key(const std::string& key) const;
    headless::Image look() const;

  private:
    int read_end_ = -1, write_end_ = -1;
    std::string name_;
    std::unique_ptr<ChildProcess> server_;
    int width_, height_;
};

/// Xvfb, xdotool and ImageMagick's import are installed.
bool display_tools_installed();

}  // namespace ropescope::test
