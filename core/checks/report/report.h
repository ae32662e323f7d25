// A finished run and the ways to write it down.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/checks/check.h"

namespace ropescope {

struct CheckResult {
    const Check* check = nullptr;
    Finding finding;
    double seconds = 0.0;
};

struct CheckRun {
    std::vector<CheckResult> results;
    int count(Status status) const;
    bool ok() const { return count(Status::failed) == 0; }
};

/// Checks whose id matches the glob ('*' and '?'); throws InputError naming near matches when none
/// does.
std::vector<const Check*> select_checks(std::string_view glob);

/// Runs them in order; an exception inside a check is a failed finding that carries its message,
/// but the CapabilityError of an engine that is lost ends the run. `progress` is called after each.
CheckRun run_checks(std::span<const Check* const> checks, const CheckContext& context,
                    const std::function<void(const CheckResult&)>& progress = {});

struct ReportOptions {
    bool colour = false;   ///< ANSI codes; text only
    bool explain = false;  ///< text: also what was swept and where each bound comes from
};

/// Grouped by family and aligned. A failing run begins with the one line that matters most, the
/// first failure in registry order (what comes later is built on what comes before); the summary is
/// the last line.
std::string report_text(const CheckRun& run, const ReportOptions& options = {});

/// {summary{passed, failed, skipped, seconds}, checks[{id, title, source, status, measured,
/// bound, bound_reason, detail, seconds}], notes[{id, title, source, detail}]}. JSON has no NaN: a
/// number that is not finite is null.
std::string report_json(const CheckRun& run, const ReportOptions& options = {});

/// One test suite for a build server: a testcase a check, with its failure or why it was
/// skipped; notes are left out.
std::string report_junit(const CheckRun& run, const ReportOptions& options = {});

/// A table a family. The last column is where the bound comes from, or, where a check did not hold
/// and with `explain`, what was found.
std::string report_markdown(const CheckRun& run, const ReportOptions& options = {});

/// A format by the name that the command line gives it.
struct ReportFormat {
    std::string_view name;
    std::string_view ending;  ///< of files in it: ".json"
    std::string (*write)(const CheckRun& run, const ReportOptions& options);
};
std::span<const ReportFormat> report_formats();

/// Throws InputError naming the choices.
const ReportFormat& report_format(std::string_view name);
/// That of a file by the ending of its name, in either case; text for every other.
const ReportFormat& report_format_of(const std::filesystem::path& path);

}  // namespace ropescope
