// Writes to standard output, to a file or to standard error.
#include "app/cli/output.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <initializer_list>
#include <unistd.h>
#include <utility>

#include "core/base/characters.h"
#include "core/base/write_file.h"

namespace ropescope::cli {

void print(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
}

void deliver(std::string_view text, const std::string& path) {
    if (path.empty()) {
        print(text);
    } else {
        write_file_whole(path, text);
    }
}

void print_beside(std::string_view report, const std::function<void()>& write) {
    try {
        write();
    } catch (...) {
        print(report);
        throw;
    }
    print(report);
}

int deliver_report(const CheckRun& run, const ReportFormat& format, const ReportOptions& options,
                   const std::string& path) {
    const std::string report = format.write(run, options);
    if (path.empty()) {
        print(report);
    } else {
        try {
            write_file_whole(path, report);
        } catch (const InputError&) {
            print(report);
            throw;
        }
    }
    return run.ok() ? 0 : 1;
}

void tell(std::string_view text) {
    constexpr std::size_t kMostCharacters = 500;
    std::string line(text);
    std::replace(line.begin(), line.end(), '\n', ' ');
    line = fmt::format("ropescope: {}\n", printable(line, kMostCharacters));
    std::fputs(line.c_str(), stderr);
}

void tell_assumptions(const ModelConfig& model) {
    if (model.confidence == Confidence::inferred) {
        tell(fmt::format("{}: inferred, not known, as follows", printable(model.id)));
    }
    tell_assumptions(model.id, model.assumptions);
}

void tell_assumptions(std::string_view place, const std::vector<std::string>& assumptions) {
    for (const std::string& assumption : assumptions) {
        tell(fmt::format("{}: assumed: {}", printable(place), assumption));
    }
}

// Writes the progress of a command on standard error.

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

// Opens standard streams that are missing.

void open_missing_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) < 0) {
            // The lowest free number is this one. For reading only: what is printed is not lost
            // silently.
            ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
}

}  // namespace ropescope::cli
