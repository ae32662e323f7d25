// The desktop window in a process of its own, which tells the test what it shows whenever it has
// nothing more to draw. Sources: watched_window.cpp, main.cpp (the window's side).
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/gui/display.h"

namespace ropescope::test {

/// Runs the window until it is closed; each report is a line of JSON on the file descriptor.
int run_watched_window(int report_fd);

class WatchedWindow {
  public:
    explicit WatchedWindow(const Display& display);
    ~WatchedWindow();
    WatchedWindow(const WatchedWindow&) = delete;
    WatchedWindow& operator=(const WatchedWindow&) = delete;

    using Report = nlohmann::json;
    /// The last report; null before the first.
    const Report& report() const { return report_; }
    /// Reads reports until one is as wanted; false if none is within two minutes or the window
    /// ends.
    bool until(const std::function<bool(const Report&)>& wanted);
    /// Until the report has this value.
    bool until(const std::string& name, const Report& value) {
        return until([&](const Report& report) { return report.at(name) == value; });
    }

  private:
    /// False at the deadline and at the end of the program.
    bool read_report(int milliseconds);

    int reports_ = -1;
    std::string unread_;
    Report report_;
    std::unique_ptr<ChildProcess> program_;
};

}  // namespace ropescope::test
