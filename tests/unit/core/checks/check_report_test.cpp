// Registry, runner and reports, on checks made for the purpose.
#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <stdexcept>

#include "core/base/error.h"
#include "core/checks/report/report.h"
#include "core/checks/worst_case.h"

namespace ropescope {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Check made_check(std::string id, std::function<CheckFinding(const CheckContext&)> run) {
    return {std::move(id), "a title", "a source", "a statement", "", std::move(run)};
}

std::vector<const Check*> pointers_to(const std::vector<Check>& checks) {
    std::vector<const Check*> pointers(checks.size());
    std::transform(checks.begin(), checks.end(), pointers.begin(),
                   [](const Check& check) { return &check; });
    return pointers;
}

/// The run points into `checks`.
CheckRun run_of(const std::vector<Check>& checks) {
    return run_checks(pointers_to(checks), {});
}

const std::vector<Check>& one_of_each() {
    static const std::vector<Check> checks{
        made_check("alpha.holds",
                   [](const CheckContext&) { return at_most(1e-16, 2e-16, "2 u", "swept much"); }),
        made_check(
            "beta.breaks",
            [](const CheckContext&) { return at_most(0.25, 1e-9, "of theory", "at m = 7"); }),
        made_check(
            "beta.throws",
            [](const CheckContext&) -> CheckFinding { throw std::runtime_error("no luck"); }),
        made_check("gamma.waits", [](const CheckContext&) { return skipped("no engine here"); }),
    };
    return checks;
}

TEST(CheckFinding, HoldsUpToAndIncludingTheBound) {
    EXPECT_EQ(at_most(1.0, 1.0, "", "").status, Status::passed);
    EXPECT_EQ(at_most(std::nextafter(1.0, 2.0), 1.0, "", "").status, Status::failed);
    EXPECT_EQ(at_most(0.0, 0.0, "", "").status, Status::passed);
}

TEST(CheckFinding, NaNNeverHolds) {
    EXPECT_EQ(at_most(kNaN, 1.0, "", "").status, Status::failed);
    EXPECT_EQ(at_most(0.0, kNaN, "", "").status, Status::failed);
    EXPECT_EQ(at_most(kNaN, kInfinity, "", "").status, Status::failed);
}

std::string worst_of(const std::vector<std::pair<double, double>>& cases) {
    const Cases all;
    WorstCase worst(all);
    int index = 0;
    for (const auto& [error, bound] : cases) {
        worst.add(error, bound, [&] { return "case " + std::to_string(index); });
        ++index;
    }
    const CheckFinding finding = worst.finding("", "swept");
    return std::string(to_string(finding.status)) + ", " + finding.detail;
}

TEST(WorstCase, IsTheOneNearestToItsOwnBound) {
    EXPECT_EQ(worst_of({{1e-3, 1.0}, {2e-9, 4e-9}, {0.4, 1.0}}),
              "passed, swept; 3 cases, worst at case 1");
}

TEST(WorstCase, OneCaseBeyondItsBoundFailsAll) {
    EXPECT_EQ(worst_of({{0.9, 1.0}, {2e-9, 1e-9}, {0.99, 1.0}}),
              "failed, swept; 3 cases, worst at case 1");
}

TEST(WorstCase, ZeroBoundAllowsOnlyZero) {
    EXPECT_EQ(worst_of({{0.0, 0.0}, {0.0, 1.0}}), "passed, swept; 2 cases, worst at case 0");
    EXPECT_EQ(worst_of({{0.0, 0.0}, {1e-300, 0.0}, {3.0, 1.0}}),
              "failed, swept; 3 cases, worst at case 1");
}

TEST(WorstCase, NaNIsWorseThanAnything) {
    EXPECT_EQ(worst_of({{kInfinity, 1.0}, {kNaN, 1.0}, {5.0, 0.0}}),
              "failed, swept; 3 cases, worst at case 1");
    EXPECT_EQ(worst_of({{kNaN, 1.0}, {0.0, 1.0}}), "failed, swept; 2 cases, worst at case 0");
    EXPECT_EQ(worst_of({{0.5, 1.0}, {0.0, kNaN}}), "failed, swept; 2 cases, worst at case 1");
}

TEST(WorstCase, NothingMeasuredIsNothingProved) {
    EXPECT_EQ(worst_of({}), "failed, swept: no case was measured");
}

TEST(Registry, IdsAreUniqueAndWellFormedAndEveryFieldIsFilled) {
    const std::regex form("[a-z]+\\.[a-z0-9_]+|claim\\.[0-9]{3}-[T0-9][0-9]");
    std::set<std::string> ids;
    for (const Check& check : all_checks()) {
        EXPECT_TRUE(std::regex_match(check.id, form)) << check.id;
        EXPECT_TRUE(ids.insert(check.id).second) << check.id << " occurs twice";
        EXPECT_FALSE(check.title.empty()) << check.id;
        EXPECT_FALSE(check.source.empty()) << check.id;
        EXPECT_THAT(check.statement, ::testing::EndsWith(".")) << check.id;
        EXPECT_TRUE(check.run) << check.id;
    }
    EXPECT_GE(ids.size(), 20U);
}

TEST(Registry, FamiliesAreNotInterleaved) {
    std::set<std::string_view> seen;
    std::string_view current;
    for (const Check& check : all_checks()) {
        if (family_of(check.id) != current) {
            current = family_of(check.id);
            EXPECT_TRUE(seen.insert(current).second) << current << " is in two places";
        }
    }
}

TEST(Selection, FollowsTheGlobInRegistryOrder) {
    EXPECT_EQ(select_checks("*").size(), all_checks().size());
    ASSERT_EQ(select_checks("rope.norm").size(), 1U);
    for (const Check* check : select_checks("table.*")) {
        EXPECT_THAT(check->id, StartsWith("table."));
    }
}

std::string refusal(const std::string& glob) {
    try {
        select_checks(glob);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(Selection, NothingMatchedNamesWhatIsNear) {
    EXPECT_THAT(refusal("rope.nrom"), HasSubstr("'rope.norm'"));
    EXPECT_THAT(refusal("tabel.*"), HasSubstr("'table.*'"));
    EXPECT_THAT(refusal("zzz"), HasSubstr("the families are rope.*, scaling.*, layout.*, table.*"));
    EXPECT_THAT(refusal(""), HasSubstr("matches no check"));
}

TEST(Runner, AnExceptionFailsItsCheckAndTheRunGoesOn) {
    std::vector<std::string> progress;
    const CheckRun run = run_checks(pointers_to(one_of_each()), {}, [&](const CheckResult& result) {
        progress.push_back(result.check->id);
    });
    EXPECT_THAT(progress,
                ::testing::ElementsAre("alpha.holds", "beta.breaks", "beta.throws", "gamma.waits"));
    EXPECT_EQ(run.results[2].finding.status, Status::failed);
    EXPECT_EQ(run.results[2].finding.detail, "no luck");
    EXPECT_EQ(run.count(Status::passed), 1);
    EXPECT_EQ(run.count(Status::failed), 2);
    EXPECT_EQ(run.count(Status::skipped), 1);
    EXPECT_FALSE(run.ok());
}

TEST(Runner, WhatIsThrownNeedNotBeAnException) {
    const std::vector<Check> checks{
        made_check("a.b", [](const CheckContext&) -> CheckFinding { throw 7; })};  // NOLINT
    EXPECT_EQ(run_of(checks).count(Status::failed), 1);
}

TEST(Runner, WithoutEnginesEngineChecksAreSkippedNotPassed) {
    for (const char* id :
         {"table.contiguous", "table.positions", "table.rotate", "table.attention_factor"}) {
        const CheckRun run = run_checks(select_checks(id), {});
        EXPECT_GE(run.count(Status::skipped), 1) << id;
        EXPECT_TRUE(run.ok()) << id;
    }
}

TEST(TextReport, BeginsWithTheFirstFailureAndEndsWithTheSummary) {
    const std::string text = report_text(run_of(one_of_each()));
    EXPECT_THAT(text, StartsWith("FAILED beta.breaks: 2.500e-01 is not within 1.000e-09; at m = 7 "
                                 "(and 1 more)\n"));
    EXPECT_TRUE(
        std::regex_search(text, std::regex("\n1 passed, 2 failed, 1 skipped in [0-9.]+ s\n$")))
        << text;
    EXPECT_THAT(text, HasSubstr("no luck"));
    EXPECT_THAT(text, HasSubstr("no engine here"));
}

TEST(TextReport, IsGroupedAlignedAndQuietAboutWhatHolds) {
    const std::string text = report_text(run_of(one_of_each()));
    EXPECT_THAT(text,
                HasSubstr("alpha\n  ok   alpha.holds  1.00e-16 <= 2.00e-16  a title\n\nbeta"));
    EXPECT_THAT(text, HasSubstr("\n  FAIL beta.breaks  2.50e-01 >  1.00e-09  a title\n"));
    EXPECT_THAT(text, Not(HasSubstr("swept much")));
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(TextReport, ExplainsOnRequest) {
    EXPECT_THAT(report_text(run_of(one_of_each()), {false, true}), HasSubstr("swept much"));
}

TEST(TextReport, ColourAddsCodesAndNothingElse) {
    const CheckRun run = run_of(one_of_each());
    const std::string coloured = report_text(run, {true, false});
    EXPECT_THAT(coloured, HasSubstr("\x1b["));
    EXPECT_EQ(std::regex_replace(coloured, std::regex("\x1b\\[[0-9;]*m"), ""), report_text(run));
}

TEST(TextReport, ARunThatHoldsDoesNotMentionFailure) {
    const std::string text = report_text(run_checks(select_checks("rope.spectrum_first"), {}));
    EXPECT_THAT(text, StartsWith("rope\n"));
    EXPECT_THAT(text, HasSubstr("\n1 passed, 0 failed, 0 skipped in "));
}

TEST(Reports, NotesAreShownAndCountAsNoCheck) {
    const std::vector<Check> checks{
        made_check("a.measured", [](const CheckContext&) { return at_most(0, 1, "", "swept"); }),
        made_check("a.remark", [](const CheckContext&) { return note("to be known"); })};
    const CheckRun run = run_of(checks);
    EXPECT_TRUE(run.ok());
    const std::string text = report_text(run);
    EXPECT_THAT(text, HasSubstr("  note a.remark                          a title\n"));
    EXPECT_THAT(text, HasSubstr("\n1 passed, 0 failed, 0 skipped, 1 notes in "));
    EXPECT_THAT(report_junit(run), HasSubstr(" tests=\"1\" "));
    EXPECT_THAT(report_markdown(run), HasSubstr("| note |  |  | to be known |"));
}

TEST(JsonReport, HasTheKeysOfTheInterface) {
    const auto report = nlohmann::json::parse(report_json(run_of(one_of_each())));
    EXPECT_EQ(report["summary"]["passed"], 1);
    EXPECT_EQ(report["summary"]["failed"], 2);
    EXPECT_EQ(report["summary"]["skipped"], 1);
    ASSERT_EQ(report["checks"].size(), 4U);
    const auto& broken = report["checks"][1];
    EXPECT_EQ(broken["id"], "beta.breaks");
    EXPECT_EQ(broken["title"], "a title");
    EXPECT_EQ(broken["source"], "a source");
    EXPECT_EQ(broken["status"], "failed");
    EXPECT_EQ(broken["measured"], 0.25);
    EXPECT_EQ(broken["bound"], 1e-9);
    EXPECT_EQ(broken["detail"], "at m = 7");
    EXPECT_EQ(broken["bound_reason"], "of theory");
}

TEST(JsonReport, StaysValidWhateverWasMeasuredOrThrown) {
    const std::vector<Check> checks{made_check("a.b", [](const CheckContext&) -> CheckFinding {
        throw std::runtime_error("\xff \" \n");
    })};
    const auto report = nlohmann::json::parse(report_json(run_of(checks)));
    EXPECT_TRUE(report["checks"][0]["measured"].is_null());
}

TEST(JunitReport, HasOneTestcaseACheckAndIsEscaped) {
    const std::string xml = report_junit(run_of(one_of_each()));
    EXPECT_THAT(xml, HasSubstr("<testsuite name=\"ropescope check\" tests=\"4\" failures=\"2\" "
                               "errors=\"0\" skipped=\"1\""));
    EXPECT_THAT(xml, HasSubstr("<failure message=\"2.500e-01 is not within 1.000e-09\">at m = 7"));
    EXPECT_THAT(xml, HasSubstr("<skipped message=\"no engine here\"/>"));
    const std::vector<Check> hostile{made_check(
        "a.b", [](const CheckContext&) { return at_most(2, 1, "x < y & \x01z\xff", "\"]]>"); })};
    const std::string escaped = report_junit(run_of(hostile));
    EXPECT_THAT(escaped, HasSubstr("&quot;]]&gt;&#10;bound: x &lt; y &amp; ?z?</failure>"));
}

TEST(MarkdownReport, KeepsItsTablesWhateverTheCellsHold) {
    std::vector<Check> checks{made_check(
        "a.b", [](const CheckContext&) { return at_most(0, 1, "|x| <= 1\nand more", ""); })};
    checks[0].statement = "The norm |x| is kept.";
    const std::string text = report_markdown(run_of(checks));
    EXPECT_THAT(text, HasSubstr("1 passed, 0 failed, 0 skipped."));
    EXPECT_THAT(text, HasSubstr("| `a.b` | The norm \\|x\\| is kept. | a source | passed | "
                                "0.00e+00 | 1.00e+00 | \\|x\\| \\<= 1 and more |\n"));
}

TEST(ReportFormats, AreFoundByNameAndRefusedWithTheChoices) {
    for (const ReportFormat& format : report_formats()) {
        EXPECT_EQ(&report_format(format.name), &format);
    }
    try {
        report_format("yaml");
        FAIL() << "accepted";
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("'yaml'"));
        EXPECT_THAT(error.what(), HasSubstr("text, json, junit, markdown"));
    }
}

}  // namespace
}  // namespace ropescope
