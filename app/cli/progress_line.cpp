// Writes the progress of a command on standard error.
#include "app/cli/progress_line.h"

#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

#include "app/cli/output.h"

namespace ropescope::cli {
namespace {

void write(const std::string& text) {
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
}

}  // namespace

ProgressLine::ProgressLine(std::string what, std::chrono::milliseconds between_lines)
    : what_(std::move(what)),
      between_lines_(between_lines),
      on_terminal_(::isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
    if (on_terminal_ && shown_percent_ >= 0) {
        write("\r\x1b[K");
    }
}

void ProgressLine::operator()(double done) {
    const int percent = static_cast<int>(std::floor(100 * done));
    if (on_terminal_) {
        if (std::exchange(shown_percent_, percent) != percent) {
            write(fmt::format("\r{} {:3} %", what_, percent));
        }
    } else if (const Clock::time_point now = Clock::now(); now - last_line_ >= between_lines_) {
        last_line_ = now;
        tell(fmt::format("{}: {:.1f} % done", what_, 100 * done));
    }
}

}  // namespace ropescope::cli
