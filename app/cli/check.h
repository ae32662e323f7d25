// The end of ropescope check, apart from its parsing.
#pragma once

#include <string>

#include "core/checks/report/report.h"

namespace ropescope::cli {

/// Writes the report to the file `output`, whole, or to standard output when it is empty. Returns
/// the exit code: 0 when no check failed, else 1.
int deliver_report(const CheckRun& run, const ReportFormat& format, const ReportOptions& options,
                   const std::string& output);

}  // namespace ropescope::cli
