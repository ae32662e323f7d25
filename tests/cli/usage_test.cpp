// How the program answers to its options: exit codes and messages, apart from any command.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/paths.h"
#include "tests/support/run_program.h"

namespace ropescope::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Errors are one line on standard error, and nothing on standard output.
void expect_one_error_line(const RunResult& run, int exit_code, const std::string& part) {
    EXPECT_EQ(run.exit_code, exit_code);
    EXPECT_THAT(run.err, StartsWith("ropescope: "));
    EXPECT_THAT(run.err, HasSubstr(part));
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    EXPECT_EQ(run.out, "");
}

TEST(Usage, VersionIsOneLine) {
    const RunResult run = run_ropescope({"--version"});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_THAT(run.out, ::testing::MatchesRegex("ropescope [0-9]+\\.[0-9]+\\.[0-9]+\n"));
    EXPECT_EQ(run.err, "");
}

TEST(Usage, NumbersAreDecimal) {
    for (const char* number : {"0100", "0x64", "-012", "0b11", "00"}) {
        expect_one_error_line(run_ropescope({"inspect", "llama-3-8b", "--context", number}), 2,
                              std::string(number) + " may be a number of another base");
    }
    EXPECT_EQ(run_ropescope({"inspect", "llama-3-8b", "--context", "100"}).exit_code, 0);
}

TEST(Usage, HelpHasExamplesAndExitCodes) {
    const RunResult run = run_ropescope({"--help"});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_THAT(run.out, HasSubstr("Examples:"));
    EXPECT_THAT(run.out, HasSubstr("Exit codes: 0 ok, 1"));
    EXPECT_EQ(run.err, "");
}

TEST(Usage, HelpOfACommandIsItsOwn) {
    const RunResult run = run_ropescope({"check", "--help"});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_THAT(run.out, HasSubstr("--filter"));
    EXPECT_THAT(run.out, ::testing::Not(HasSubstr("Exit codes:")));
}

TEST(Usage, UnknownOptionNamesTheNearest) {
    expect_one_error_line(run_ropescope({"--fromat", "json"}), 2,
                          "unknown option '--fromat'; did you mean '--format'?");
}

TEST(Usage, AnOptionInFrontOfItsCommandIsToldItsPlace) {
    expect_one_error_line(run_ropescope({"--claims", "check"}), 2,
                          "'--claims' goes after the command: ropescope check --claims");
}

TEST(Usage, WhatACommandDoesNotReadIsRefused) {
    expect_one_error_line(run_ropescope({"--scene", "no.json", "check"}), 2,
                          "--scene has no effect on check");
    expect_one_error_line(run_ropescope({"figure", "table", "--format", "json", "-o", "x.svg"}), 2,
                          "--format has no effect on figure");
    expect_one_error_line(run_ropescope({"--format", "junit", "backends"}), 2,
                          "--format: backends cannot write 'junit'; give one of text, json");
    expect_one_error_line(run_ropescope({"--format", "json", "app"}), 2,
                          "--format has no effect on app");
    expect_one_error_line(run_ropescope({"check", "--list", "--format", "json"}), 2, "--list");
    expect_one_error_line(
        run_ropescope({"--set", "view=spektrum", "figure", "table", "-o", "x.svg"}), 2,
        "did you mean 'spectrum'?");
}

TEST(Usage, WhatACheckReadsMayStandInFrontOfIt) {
    const RunResult run = run_ropescope(
        {"--format", "junit", "--device", "software", "check", "--filter", "rope.norm"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("<testsuite"));
}

TEST(Usage, OutputsThatCannotBeMeantAreRefused) {
    expect_one_error_line(run_ropescope({"rotate", "q.npy", "-o", "q.safetensors"}), 2, ".npy");
    expect_one_error_line(run_ropescope({"screenshot", "table", "-o", "x.jpg"}), 2, "'.jpg'");
    expect_one_error_line(run_ropescope({"screenshot", "table", "-o", ""}), 2,
                          "the value is empty");
    expect_one_error_line(run_ropescope({"rotate", "q.npy", "-o", "r.npy", "--heads", "0"}), 2,
                          "--heads: 0 heads; give a whole number from 1 on");
}

TEST(Usage, UnknownOptionWithoutANearOneSaysWhereToLook) {
    expect_one_error_line(run_ropescope({"--zzzzzzzzzzzz=3"}), 2,
                          "unknown option '--zzzzzzzzzzzz'; see ropescope --help");
}

TEST(Usage, HelpIsACommandToo) {
    EXPECT_EQ(run_ropescope({"help"}).out, run_ropescope({"--help"}).out);
    EXPECT_EQ(run_ropescope({"help", "figure"}).out, run_ropescope({"figure", "--help"}).out);
    EXPECT_EQ(run_ropescope({"help", "figure"}).exit_code, 0);
    expect_one_error_line(run_ropescope({"help", "figur"}), 2, "did you mean 'figure'?");
}

TEST(Usage, AnOptionBeforeAnyCommandSaysWhoseItIs) {
    expect_one_error_line(run_ropescope({"--theme", "dark"}), 2,
                          "unknown option '--theme'; it goes after a command that has it: ");
}

TEST(Usage, UnknownCommandIsRefused) {
    expect_one_error_line(run_ropescope({"frobnicate"}), 2, "unknown command 'frobnicate'");
}

TEST(Usage, MissingValueIsRefused) {
    expect_one_error_line(run_ropescope({"--set"}), 2, "--set");
}

TEST(Usage, NumbersThatWouldBeReadAsOthersAreRefused) {
    for (const char* number : {" 5", "1e-400", "-3.2e-500", "010", "0x10"}) {
        expect_one_error_line(run_ropescope({"rotate", "q.npy", "-o", "r.npy", "--base", number}),
                              2, "--base");
    }
    expect_one_error_line(run_ropescope({"rotate", "q.npy", "-o", "r.npy", "--base", "1e-300"}), 2,
                          "q.npy: cannot be opened");
}

TEST(Usage, UnknownFormatNamesTheChoices) {
    expect_one_error_line(run_ropescope({"--format", "xml"}), 2, "text,json");
}

TEST(Usage, FullDiskOnStandardOutputIsAnError) {
    const RunResult run = run_command({"sh", "-c", program_path() + " --help > /dev/full"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, HasSubstr("cannot write standard output"));
}

TEST(Usage, ClosedPipeIsQuiet) {
    // The reader is gone before the first byte; without the program's own reset it would inherit
    // the ignored signal and complain.
    const RunResult run = run_command(
        {"bash", "-c", "trap '' PIPE; { sleep 0.2; " + program_path() + " --help; } | true"});
    EXPECT_EQ(run.err, "");
}

}  // namespace
}  // namespace ropescope::test
