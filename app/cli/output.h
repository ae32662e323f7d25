// Where commands write: results to standard output or a file, remarks to standard error.
#pragma once

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
/// Delivers the report of a run. Returns the exit code: 0 if no check failed, else 1.
int deliver_report(const CheckRun& run, const ReportFormat& format, const ReportOptions& options,
                   const std::string& path);

/// Prints "ropescope: " and the text as one line on standard error: in printable characters, at
/// most 500 of them. A standard error that cannot be written is no error of ours.
void tell(std::string_view text);
/// Tells what a model's file left open, or what was read at `place`.
void tell_assumptions(const ModelConfig& model);
void tell_assumptions(std::string_view place, const std::vector<std::string>& assumptions);

}  // namespace ropescope::cli
