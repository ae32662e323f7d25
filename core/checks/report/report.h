// The formats of a report about a run of checks: text, JSON, JUnit and Markdown.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "core/checks/check_run.h"

namespace ropescope {

struct ReportOptions {
    bool colour = false;   ///< ANSI codes; text only
    bool explain = false;  ///< text: also what was swept and where each bound comes from
};

/// Grouped by family and aligned. A failing run begins with the first failure in registry order:
/// later checks build on earlier ones, so that line matters most. The summary is the last line.
std::string report_text(const CheckRun& run, const ReportOptions& options = {});

/// {summary{passed, failed, skipped, seconds}, checks[{id, title, source, status, measured,
/// bound, bound_reason, detail, worst_case, seconds}], notes[{id, title, source, detail}]}. JSON
/// has no NaN, so a number that is not finite becomes null.
std::string report_json(const CheckRun& run, const ReportOptions& options = {});

/// One test suite for a build server, with one testcase for each check: its failure, or why it was
/// skipped. Notes are left out.
std::string report_junit(const CheckRun& run, const ReportOptions& options = {});

/// One table for each family. The last column says where the bound comes from; for a check that
/// failed, and with `explain` for all, it says what was found.
std::string report_markdown(const CheckRun& run, const ReportOptions& options = {});

/// One row of the table of formats.
struct ReportFormat {
    std::string_view name;    ///< on the command line
    std::string_view ending;  ///< of its files: ".json"
    std::string (*write)(const CheckRun& run, const ReportOptions& options);
};
std::span<const ReportFormat> report_formats();

/// The format with this name. Throws InputError naming the choices.
const ReportFormat& report_format(std::string_view name);
/// The format that belongs to the ending of the file's name, in upper or lower case; text if none
/// does.
const ReportFormat& report_format_of(const std::filesystem::path& path);

}  // namespace ropescope
