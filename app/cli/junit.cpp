// Makes tests of what the instruments found.
#include "app/cli/junit.h"

#include <fmt/format.h>

#include "core/base/write_file.h"
#include "core/diagnosis/report.h"
#include "core/diagnosis/words.h"

namespace ropescope::cli {
namespace {

JunitCase case_of(const diagnosis::Diagnosis& diagnosis, const std::string& group,
                  std::string name) {
    JunitCase test{.group = group, .name = std::move(name)};
    if (!passes(diagnosis)) {
        test.failure =
            diagnosis.mismatches.empty() || diagnosis.verdict != diagnosis::Verdict::valid
                ? diagnosis.summary()
                : text_of(diagnosis.not_as_expected());
        test.detail = diagnosis_text(diagnosis);
    }
    return test;
}

}  // namespace

Option junit_option(std::string& path) {
    return {.names = "--junit",
            .target = &path,
            .type = "FILE.xml",
            .text = "Also writes the results as JUnit XML, which build servers show as tests"};
}

void write_junit(const std::string& path, const std::string& command,
                 const std::vector<JunitCase>& cases) {
    if (!path.empty()) {
        write_file_whole(path, junit_text("ropescope " + command, cases));
    }
}

std::vector<JunitCase> junit_cases(const diagnosis::LayeredDiagnosis& found,
                                   const std::string& group) {
    std::vector<JunitCase> cases;
    for (const diagnosis::AlikeLayers& kind : found.kinds) {
        for (const Index layer : kind.layers) {
            cases.push_back(case_of(kind.diagnosis, group, fmt::format("layer {}", layer)));
        }
    }
    // What layers say together, as that they do not turn alike.
    cases.push_back(case_of(found.whole, group, found.kinds.empty() ? "dump" : "all layers"));
    return cases;
}

std::vector<JunitCase> junit_cases(const std::vector<diagnosis::TableDiagnosis>& found,
                                   const std::string& group) {
    std::vector<JunitCase> cases;
    for (const diagnosis::TableDiagnosis& each : found) {
        cases.push_back(case_of(each.diagnosis, group, each.table.name));
    }
    return cases;
}

std::vector<JunitCase> junit_cases(const diff::DiffReport& report, const std::string& group) {
    std::vector<JunitCase> cases;
    for (const diff::Compared& each : report.compared) {
        cases.push_back({.group = group, .name = each.name});
        if (each.sameness == diff::Sameness::different) {
            cases.back().failure = each.text;
            cases.back().detail = report_text(report);
        }
    }
    return cases;
}

std::vector<JunitCase> junit_cases(const probe::Report& report, const std::string& group) {
    std::vector<JunitCase> cases;
    for (const probe::RequestResult& result : report.requests) {
        JunitCase test{.group = group,
                       .name = fmt::format("request {}: {}", result.id, result.name)};
        if (result.judged == probe::Judged::not_asked) {
            test.skipped = "the implementation did not get this far";
        } else if (result.judged != probe::Judged::right) {
            test.failure = result.words.empty() ? std::string(to_string(result.judged))
                                                : text_of(result.words);
            test.detail = result.why;
        }
        cases.push_back(std::move(test));
    }
    cases.push_back({.group = group, .name = "verdict"});
    if (!report.passed()) {
        cases.back().failure = report.diagnosis.summary();
        cases.back().detail = diagnosis_text(report.diagnosis);
    }
    return cases;
}

std::vector<JunitCase> junit_cases(const std::vector<vectors::CaseJudgement>& judgements,
                                   const std::string& group) {
    std::vector<JunitCase> cases;
    for (const vectors::CaseJudgement& judgement : judgements) {
        cases.push_back({.group = group, .name = judgement.id});
        if (judgement.judged != vectors::CaseVerdict::right) {
            cases.back().failure = text_of(judgement);
            cases.back().detail = std::string(to_string(judgement.judged));
        }
    }
    return cases;
}

}  // namespace ropescope::cli
