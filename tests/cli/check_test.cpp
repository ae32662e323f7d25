// ropescope check as its users see it: exit codes, messages and files.

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/cli/engines.h"
#include "app/cli/output.h"
#include "core/base/error.h"
#include "tests/support/failing_engine.h"
#include "tests/support/needs_egl.h"
#include "tests/support/paths.h"
#include "tests/support/run_program.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string contents(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

void expect_refusal(const std::vector<std::string>& arguments, int exit_code,
                    const std::vector<std::string>& parts) {
    const RunResult run = run_ropescope(arguments);
    EXPECT_EQ(run.exit_code, exit_code) << run.err;
    EXPECT_THAT(run.err, StartsWith("ropescope: "));
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    EXPECT_EQ(run.out, "");
    for (const std::string& part : parts) {
        EXPECT_THAT(run.err, HasSubstr(part));
    }
}

TEST(CheckCommand, ProvesEverythingAndSumsUpInTheLastLine) {
    const RunResult run = run_ropescope({"check"});
    EXPECT_EQ(run.exit_code, 0) << run.out;
    EXPECT_EQ(run.err, "");
    EXPECT_THAT(run.out, StartsWith("rope\n"));
    EXPECT_THAT(run.out, HasSubstr(" passed, 0 failed, 0 skipped"));
    EXPECT_THAT(run.out, EndsWith(" s\n"));
    EXPECT_THAT(run.out, Not(HasSubstr("\x1b")));
}

TEST(CheckCommand, RunsOneCaseOfASweepAgainAsItIsListed) {
    const RunResult listed = run_ropescope({"check", "scaling.linear", "--list-cases"});
    EXPECT_EQ(listed.exit_code, 0);
    const std::string first = listed.out.substr(0, listed.out.find('\n'));
    const std::string before = "scaling.linear --case '";
    ASSERT_THAT(first, StartsWith(before));
    const std::string name = first.substr(before.size(), first.size() - before.size() - 1);
    const RunResult again = run_ropescope({"check", "scaling.linear", "--case", name, "--explain"});
    EXPECT_EQ(again.exit_code, 0);
    EXPECT_THAT(again.out, HasSubstr("worst at " + name));
    EXPECT_THAT(again.out, HasSubstr("again  ropescope check scaling.linear --case '" + name));

    const RunResult some =
        run_ropescope({"check", "rope.orthogonality", "--case", "m=70000 base=1e6 head_dim=128"});
    EXPECT_EQ(some.exit_code, 0);
    EXPECT_THAT(some.out, HasSubstr("1 passed, 0 failed, 0 skipped"));
}

TEST(CheckCommand, RefusesCasesThatNoSweepHas) {
    expect_refusal({"check", "rope.norm", "--case", "m=12345"}, 2,
                   {"--case: 'm=12345' names no case", "--list-cases"});
    expect_refusal({"check", "rope.norm", "--case", "head_dim 128"}, 2,
                   {"--case: 'head_dim' is not a setting"});
}

TEST(CheckCommand, JsonHasOneEntryACheck) {
    for (const auto& arguments :
         {std::vector<std::string>{"check", "--format", "json"}, {"--format", "json", "check"}}) {
        const RunResult run = run_ropescope(arguments);
        ASSERT_EQ(run.exit_code, 0);
        const auto report = nlohmann::json::parse(run.out);
        EXPECT_EQ(report["summary"]["failed"], 0);
        EXPECT_EQ(report["summary"]["passed"], report["checks"].size());
        for (const auto& check : report["checks"]) {
            EXPECT_LE(check["measured"], check["bound"]) << check["id"];
            EXPECT_NE(check["bound_reason"], "") << check["id"];
            EXPECT_NE(check["detail"], "") << check["id"];
        }
    }
}

TEST(CheckCommand, MeasuresTheSameEveryTime) {
    const auto measured = [] {
        std::vector<double> numbers;
        const RunResult run = run_ropescope({"check", "--format", "json"});
        const auto report = nlohmann::json::parse(run.out);
        for (const auto& check : report["checks"]) {
            numbers.push_back(check["measured"]);
        }
        return numbers;
    };
    EXPECT_EQ(measured(), measured());
}

TEST(CheckCommand, FilterAndListAgree) {
    const RunResult list = run_ropescope({"check", "--list", "--filter", "layout.*"});
    EXPECT_EQ(list.exit_code, 0);
    EXPECT_THAT(list.out, StartsWith("layout."));
    EXPECT_THAT(list.out, Not(HasSubstr("rope.")));
    const RunResult run = run_ropescope({"check", "--filter", "layout.*"});
    EXPECT_EQ(run.exit_code, 0);
    const auto lines = std::count(list.out.begin(), list.out.end(), '\n');
    EXPECT_THAT(run.out, HasSubstr(fmt::format("\n{} passed, ", lines)));
}

TEST(CheckCommand, FilterThatMatchesNothingNamesWhatIsNear) {
    expect_refusal({"check", "--filter", "rope.shift_invarance"}, 2, {"'rope.shift_invariance'"});
    expect_refusal({"check", "--filter", "ROPE.*"}, 2, {"did you mean 'rope.*'"});
    expect_refusal({"check", "--list", "--filter", "zzz"}, 2, {"layout.*, table.*", "--list"});
}

TEST(CheckCommand, UnknownFormatNamesTheChoicesBeforeAnythingRuns) {
    expect_refusal({"check", "--format", "yaml"}, 2, {"'yaml'", "text, json"});
}

TEST(CheckCommand, EnginesAreChosenByName) {
    expect_refusal({"check", "--engine", "tpu"}, 2, {"'tpu'", "auto, cpu, gpu, all"});
    const RunResult all = run_ropescope({"check", "--engine", "all", "--filter", "table.*"});
    EXPECT_EQ(all.exit_code, 0) << all.out;
    EXPECT_THAT(all.out, HasSubstr(" 0 skipped"));
    const RunResult explained =
        run_ropescope({"check", "--engine", "cpu", "--explain", "--filter", "table.rotate"});
    EXPECT_THAT(explained.out, HasSubstr("by=cpu"));
}

TEST(CheckCommand, OutputGoesToTheFileWholeAndNowhereElse) {
    const TempFolder folder;
    const std::string path = (folder / "report.json").string();
    const RunResult run =
        run_ropescope({"check", "--filter", "rope.norm", "--format", "json", "-o", path});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(nlohmann::json::parse(contents(path))["summary"]["passed"], 1);
    for (const auto& [name, beginning] :
         {std::pair{"a.json", "{"}, {"a.XML", "<?xml"}, {"a.md", "#"}, {"a.txt", "rope"}}) {
        const std::string by_ending = (folder / name).string();
        run_ropescope({"check", "--filter", "rope.norm", "-o", by_ending});
        EXPECT_THAT(contents(by_ending), StartsWith(beginning)) << "the ending says the format";
        run_ropescope({"--format", "text", "check", "--filter", "rope.norm", "-o", by_ending});
        EXPECT_THAT(contents(by_ending), StartsWith("rope")) << "--format wins";
    }
    expect_refusal({"check", "--filter", "rope.norm", "-o", (folder / "no/such/file").string()}, 2,
                   {"no/such"});
}

TEST(CheckCommand, AFailedRunExitsWithOneAndSaysWhyFirst) {
    // No option makes the mathematics fail, so the end of the command is called directly.
    const Check broken{
        "a.b",    "title",
        "source", "statement.",
        "",       [](const CheckContext&) {
                           return at_most(2.0, 1.0, "theory", "at m = 7"); }};
    const Check* checks[] = {&broken};
    const CheckRun run = run_checks(checks, {});
    const TempFolder folder;
    const auto path = folder / "report.txt";
    EXPECT_EQ(cli::deliver_report(run, report_format("text"), {}, path.string()), 1);
    EXPECT_THAT(contents(path), StartsWith("FAILED a.b: 2.000e+00 is not within 1.000e+00; at m"));
}

TEST(CheckCommand, NothingStandsInForAGpuThatFailsUnderTheChecks) {
    cli::GlobalOptions options;
    options.device = "software";
    ASSERT_EQ(options.engine, "auto");
    const auto open = [](const std::string& device, Fallback fallback) {
        EXPECT_EQ(device, "software");
        return make_failing_engine(1, std::move(fallback));
    };
    const Spectrum spectrum = make_spectrum({8, 8, 10000.0, Layout::half_split});
    const auto exact = cli::exact_engine_from(options, open);
    exact->table(spectrum, 0, 1);
    EXPECT_THROW(exact->table(spectrum, 0, 1), CapabilityError);
    EXPECT_EQ(exact->name(), "gpu");
    const auto any = cli::engine_from(options, open);
    any->table(spectrum, 0, 1);
    any->table(spectrum, 0, 1);
    EXPECT_EQ(any->name(), "cpu") << "elsewhere the CPU does";
}

TEST(CheckCommand, WhatAGpuRefusesIsToldInOneLineWithItsRemedy) {
    try {
        cli::with_remedy("check", [] { throw CapabilityError("GPU: the context was lost"); });
        FAIL();
    } catch (const CapabilityError& error) {
        EXPECT_STREQ(error.what(), "check: GPU: the context was lost; --engine cpu works");
    }
}

TEST(CheckCommand, ColourIsForTerminalsAndNeverAgainstNoColor) {
    // script(1) runs the command on a pseudo terminal.
    const std::string command = program_path() + " check --filter rope.norm";
    const std::vector<std::string> on_terminal{"script", "-qec", command, "/dev/null"};
    EXPECT_THAT(run_command(on_terminal, {{{"NO_COLOR", ""}}, "", {}}).out, HasSubstr("\x1b["));
    EXPECT_THAT(run_command(on_terminal, {{{"NO_COLOR", "1"}}, "", {}}).out,
                Not(HasSubstr("\x1b[")));
}

TEST(CheckCommand, ABrokenPipeIsQuiet) {
    const RunResult run = run_command({"sh", "-c", program_path() + " check | true"});
    EXPECT_EQ(run.err, "");
}

}  // namespace
}  // namespace ropescope::test
