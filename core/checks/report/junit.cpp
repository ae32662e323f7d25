// A report as JUnit XML.
#include <fmt/format.h>

#include "core/checks/report/report.h"

namespace ropescope {
namespace {

/// Text for XML 1.0: markup escaped, control characters (which it cannot hold) and bytes beyond
/// ASCII (which may not be UTF-8 in the message of an exception) replaced.
std::string xml(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        switch (c) {
            case '&':
                safe += "&amp;";
                break;
            case '<':
                safe += "&lt;";
                break;
            case '>':
                safe += "&gt;";
                break;
            case '"':
                safe += "&quot;";
                break;
            default:
                safe += c >= ' ' && c <= '~' ? c : '?';
        }
    }
    return safe;
}

std::string outcome(const CheckFinding& finding) {
    switch (finding.status) {
        case Status::passed:
        case Status::note:
            return "";
        case Status::skipped:
            return fmt::format("<skipped message=\"{}\"/>", xml(finding.detail));
        case Status::failed:
            break;
    }
    return fmt::format(
        "<failure message=\"{:.3e} is not within {:.3e}\">{}&#10;bound: {}</failure>",
        finding.measured, finding.bound, xml(finding.detail), xml(finding.bound_reason));
}

}  // namespace

std::string report_junit(const CheckRun& run, const ReportOptions&) {
    std::string cases;
    for (const CheckResult& result : run.results) {
        if (result.finding.status == Status::note) {
            continue;
        }
        const std::string_view family = family_of(result.check->id);
        cases += fmt::format(
            "  <testcase classname=\"{}\" name=\"{}\" time=\"{:.6f}\">{}</testcase>\n", xml(family),
            xml(result.check->id), result.seconds, outcome(result.finding));
    }
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuite name=\"ropescope check\" tests=\"{}\" failures=\"{}\" errors=\"0\" "
        "skipped=\"{}\" time=\"{:.6f}\">\n{}</testsuite>\n",
        static_cast<int>(run.results.size()) - run.count(Status::note), run.count(Status::failed),
        run.count(Status::skipped), run.seconds(), cases);
}

}  // namespace ropescope
