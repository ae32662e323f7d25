// A report as Markdown tables.
#include <fmt/format.h>

#include "core/checks/report/report.h"

namespace ropescope {
namespace {

/// Text for a table cell: a bar would end the cell, a line break the table, and the rest would be
/// taken for markup.
std::string cell(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        if (c == '\n' || c == '\r') {
            safe += ' ';
            continue;
        }
        if (std::string_view("\\|*_<>[]`").find(c) != std::string_view::npos) {
            safe += '\\';
        }
        safe += c;
    }
    return safe;
}

std::string number(const CheckFinding& finding, double value) {
    const bool measured = finding.status == Status::passed || finding.status == Status::failed;
    return measured ? fmt::format("{:.2e}", value) : "";
}

}  // namespace

std::string report_markdown(const CheckRun& run, const ReportOptions& options) {
    std::string text =
        fmt::format("# Checks\n\n{} passed, {} failed, {} skipped.\n", run.count(Status::passed),
                    run.count(Status::failed), run.count(Status::skipped));
    std::string_view family;
    for (const CheckResult& result : run.results) {
        const Check& check = *result.check;
        const CheckFinding& finding = result.finding;
        if (family_of(check.id) != family) {
            family = family_of(check.id);
            text += fmt::format(
                "\n## {}\n\n| check | claim | source | status | measured | bound | remark |\n"
                "|---|---|---|---|--:|--:|---|\n",
                family);
        }
        const bool remark = options.explain || finding.status != Status::passed;
        text += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} |\n", check.id,
                            cell(check.statement), cell(check.source), to_string(finding.status),
                            number(finding, finding.measured), number(finding, finding.bound),
                            remark ? cell(finding.detail) : cell(finding.bound_reason));
    }
    return text;
}

}  // namespace ropescope
