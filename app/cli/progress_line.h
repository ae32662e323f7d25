// Shows on standard error how far a long command has come.
#pragma once

#include <chrono>
#include <string>

namespace ropescope::cli {

/// On a terminal, "encode  45 %" on one line that is erased at the end. Elsewhere, a line of its
/// own every `between_lines`, so that a log stays short and a reader knows that the work goes on.
class ProgressLine {
  public:
    explicit ProgressLine(std::string what,
                          std::chrono::milliseconds between_lines = std::chrono::seconds(30));
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    ~ProgressLine();

    /// `done` is the share that is done, 0 .. 1.
    void operator()(double done);

  private:
    using Clock = std::chrono::steady_clock;
    std::string what_;
    std::chrono::milliseconds between_lines_;
    bool on_terminal_;
    int shown_percent_ = -1;
    Clock::time_point last_line_ = Clock::now();
};

}  // namespace ropescope::cli
