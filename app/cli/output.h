// Where commands write: results to standard output or a file, remarks to standard error.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/checks/report/report.h"
#include "core/formats/model_config.h"

namespace ropescope::cli {

/// Writes to standard output. main() reports at the end if that failed.
void print(std::string_view text);

/// Writes to the file `path`, whole or not at all, or to standard output if `path` is empty.
void deliver(std::string_view text, const std::string& path);
/// Lets `write` write the files that go with a report, then prints the report, also if one of them
/// cannot be written: what was found is not lost with a file. Throws what `write` throws.
void print_beside(std::string_view report, const std::function<void()>& write);
/// Delivers the report of a run, or prints it if its file cannot be written, which is thrown then.
/// Returns the exit code: 0 if no check failed, else 1.
int deliver_report(const CheckRun& run, const ReportFormat& format, const ReportOptions& options,
                   const std::string& path);

/// Prints "ropescope: " and the text as one line on standard error: in printable characters, at
/// most 500 of them. A standard error that cannot be written is no error of ours.
void tell(std::string_view text);
/// Tells what a model's file left open, or what was read at `place`.
void tell_assumptions(const ModelConfig& model);
void tell_assumptions(std::string_view place, const std::vector<std::string>& assumptions);

// Shows on standard error how far a long command has come.

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

// The exit codes of the program; a check that failed has its own, 1 (output.h).

enum ExitCode { kOk = 0, kBadInput = 2, kCapabilityMissing = 3 };

// Standard streams that the parent process may have closed.

/// Opens the standard streams that the parent process has closed, so that no file of ours takes
/// their number; writing to them fails as before. Call it before anything is opened.
void open_missing_streams();

}  // namespace ropescope::cli
