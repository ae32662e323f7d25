// How the program answers to its options: exit codes and messages, apart from any command.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
                              "'" + std::string(number) + "' may be a number of another base");
    }
    EXPECT_EQ(run_ropescope({"inspect", "llama-3-8b", "--context", "100"}).exit_code, 0);
}

TEST(Usage, EveryOptionReadsNumbersAlike) {
    const std::vector<std::vector<std::string>> options = {
        {"--set", "head_dim="},  {"--set", "base="},       {"--set", "pairs="}, {"--vary", "base="},
        {"--size", ""},          {"--scale", ""},          {"--font-size", ""}, {"--dpi", ""},
        {"--set", "axes_grid="}, {"--range", "spectrum="},
    };
    for (const std::vector<std::string>& option : options) {
        const std::string& name = option.front();
        for (const auto& [number, why] : {std::pair("08", "may be a number of another base"),
                                          std::pair("0x10", "may be a number of another base"),
                                          std::pair("+8", "has a + in front; leave it out")}) {
            const std::string rest = name == "--vary" ? ":100" : name == "--range" ? ":9,1:2" : "";
            const bool product = name == "--size" || option.back() == "axes_grid=";
            const std::string value =
                product ? option.back() + "8x" + number : option.back() + number + rest;
            if (product && std::string_view(number) == "0x10") {
                continue;  // 0 rows of 10
            }
            expect_one_error_line(
                run_ropescope({"figure", "spectrum", "-o", name == "--vary" ? "x.html" : "x.png",
                               name, value}),
                2, "'" + std::string(number) + "' " + why);
        }
    }
    expect_one_error_line(run_ropescope({"figure", "spectrum", "-o", "x.png", "--set", "base= 8"}),
                          2, "base: ' 8' has a space around it; leave it out");
    expect_one_error_line(
        run_ropescope({"figure", "spectrum", "-o", "x.png", "--size", "800 x600"}), 2,
        "--size: '800 ' has a space around it; leave it out");
}

TEST(Usage, WhatIsNoNumberIsNamedAsItWasTyped) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> refused = {
        {{"inspect", "llama-3-8b", "--seq-len", "abc"}, "--seq-len: 'abc' is not a whole number"},
        {{"inspect", "llama-3-8b", "--seq-len", "8.0"}, "'8.0' is not a whole number from -9223"},
        {{"inspect", "llama-3-8b", "--seq-len", "99999999999999999999"},
         "--seq-len: '99999999999999999999' is not a whole number from -9223372036854775808 to "
         "9223372036854775807"},
        {{"rotate", "q.npy", "-o", "r.npy", "--rotary-dim", "5000000000"},
         "--rotary-dim: '5000000000' is not a whole number from -2147483648 to 2147483647"},
        {{"encode", "--d2l-roformer", "--seed", "-1", "--ids", "i.npy", "-o", "o.safetensors"},
         "--seed: '-1' is not a whole number from 0 to 18446744073709551615"},
        {{"rotate", "q.npy", "-o", "r.npy", "--base", "1_000"},
         "--base: '1_000' is not a finite number in decimal"},
        {{"rotate", "q.npy", "-o", "r.npy", "--base", "inf"}, "--base: 'inf' is not a finite"},
        {{"probe", "--config", "llama-3-8b", "--timeout", "nan", "--", "true"},
         "--timeout: 'nan' is not a finite number"},
        {{"record", "rotation", "--vary", "position=0:9", "-o", "x", "--steps", "5000000000"},
         "--steps: '5000000000' is not a whole number"}};
    for (const auto& [words, part] : refused) {
        expect_one_error_line(run_ropescope(words), 2, part);
    }
}

TEST(Usage, NumbersThatAreTooSmallAreSaidToBeSo) {
    for (const char* command : {"--scale", "--dpi"}) {
        expect_one_error_line(
            run_ropescope({"figure", "spectrum", "-o", "x.png", command, "1e-400"}), 2,
            "'1e-400' is too small for a number of 64 bits");
    }
    expect_one_error_line(
        run_ropescope({"figure", "spectrum", "-o", "x.png", "--set", "base=1e-400"}), 2,
        "base: '1e-400' is too small for a number of 64 bits");
    expect_one_error_line(
        run_ropescope({"figure", "spectrum", "-o", "x.png", "--set", "base=5e-324"}), 2,
        "base: 5e-324 is too small to compute with; give rope_theta from 1e-300 on");
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
    expect_one_error_line(run_ropescope({"--set"}), 2,
                          "--set: its value is missing; give NAME=VALUE");
    expect_one_error_line(run_ropescope({"inspect", "llama-3-8b", "--seq-len"}), 2,
                          "--seq-len: its value is missing; give N");
    expect_one_error_line(run_ropescope({"figure", "spectrum", "--scene"}), 2,
                          "--scene: its value is missing; give FILE");
}

TEST(Usage, AnOptionIsGivenOnceAndASwitchHasNoValue) {
    expect_one_error_line(
        run_ropescope({"inspect", "llama-3-8b", "--seq-len", "3", "--seq-len", "4"}), 2,
        "--seq-len is given 2 times; give it once");
    expect_one_error_line(run_ropescope({"figure", "spectrum", "-o", "a.svg", "-o", "b.svg"}), 2,
                          "--output is given 2 times; give it once");
    for (const char* value : {"--list=maybe", "--list=3", "--list=false"}) {
        expect_one_error_line(run_ropescope({"check", value}), 2,
                              "--list takes no value; leave out what follows the =");
    }
    expect_one_error_line(run_ropescope({"--help=3"}), 2, "--help takes no value");
    expect_one_error_line(run_ropescope({"--version=3"}), 2, "--version takes no value");
    expect_one_error_line(run_ropescope({"check", "-hx"}), 2, "-h takes no value");
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
    expect_one_error_line(run_ropescope({"--format", "xml"}), 2,
                          "--format: 'xml' is not one of text, json, junit, markdown");
    expect_one_error_line(run_ropescope({"--format", "jsno"}), 2, "did you mean 'json'?");
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
