// A report as JUnit XML.
#include "core/base/junit.h"

#include <fmt/format.h>

#include "core/checks/report/report.h"

namespace ropescope {
namespace {

JunitCase case_of(const CheckResult& result) {
    const CheckFinding& finding = result.finding;
    JunitCase test{.group = std::string(family_of(result.check->id)),
                   .name = std::string(result.check->id),
                   .seconds = result.seconds};
    if (finding.status == Status::skipped) {
        test.skipped = finding.detail;
    } else if (finding.status == Status::failed) {
        test.failure = fmt::format("{:.3e} is not within {:.3e}", finding.measured, finding.bound);
        test.detail = fmt::format("{}\nbound: {}", finding.detail, finding.bound_reason);
    }
    return test;
}

}  // namespace

std::string report_junit(const CheckRun& run, const ReportOptions&) {
    std::vector<JunitCase> cases;
    for (const CheckResult& result : run.results) {
        if (result.finding.status != Status::note) {
            cases.push_back(case_of(result));
        }
    }
    return junit_text("ropescope check", cases);
}

}  // namespace ropescope
