// Messages and standard streams: what reaches the terminal, and what happens without one.
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/file.h"
#include "core/base/write_file.h"
#include "tests/support/paths.h"
#include "tests/support/run_program.h"
#include "tests/support/temp_folder.h"

namespace ropescope {
namespace {

using test::run_command;
using test::run_ropescope;
using test::RunResult;
using testing::HasSubstr;

/// Runs ropescope in a shell, "$0" being the program.
RunResult run_in_shell(const std::string& script) {
    return run_command({"sh", "-c", script, test::program_path()});
}

void expect_one_printable_line(const RunResult& run, const std::string& what) {
    EXPECT_EQ(run.exit_code, 2) << what;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    EXPECT_TRUE(std::all_of(run.err.begin(), run.err.end(), [](unsigned char c) {
        return c == '\n' || (c >= 0x20 && c != 0x7F);
    })) << what;
    // "ropescope: ", 500 bytes, "..." and the end of the line.
    EXPECT_LE(run.err.size(), 515U) << what;
}

TEST(Messages, NothingForeignReachesTheTerminalUnescaped) {
    const std::string evil = "\x1b[31mred\x7f\n\u009b2J";
    const test::TempFolder folder;
    const std::string scene = (folder / "scene.json").string();
    write_file_whole(scene, R"({"ropescope_scene": 1, "\u001b[31mred\u007f": 1})");
    const std::string csv = (folder / "a.csv").string();
    for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
             {evil},
             {evil, "--help"},
             {"--" + evil},
             {"check", "--" + evil},
             {"check", evil},
             {"figure", evil, "-o", csv},
             {"figure", "rotation", "-o", csv, evil},
             {"--set", evil + "=2", "figure", "rotation", "-o", csv},
             {"--set", "base=" + evil, "figure", "rotation", "-o", csv},
             {"--set", "model=" + evil, "figure", "rotation", "-o", csv},
             {"--scene", scene, "figure", "rotation", "-o", csv},
             {"--scene", evil, "figure", "rotation", "-o", csv},
             {"--engine", evil, "check"},
             {"--format", evil, "check"},
             {"inspect", evil},
             {"rotate", evil, "-o", (folder / "x.npy").string()},
             {"encode", "--model", evil, "--text", "a", "-o", (folder / "x.npy").string()}}) {
        expect_one_printable_line(run_ropescope(arguments), testing::PrintToString(arguments));
    }
}

TEST(Messages, StayShortHoweverLongTheirCause) {
    const std::string longest(20000, 'x');
    for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
             {longest},
             {"inspect", longest},
             {"check", longest},
             {"--set", longest, "figure", "rotation", "-o", "a.csv"}}) {
        expect_one_printable_line(run_ropescope(arguments), arguments.front().substr(0, 20));
    }
}

TEST(Messages, AnUnknownCommandIsRefusedEvenIfHelpIsWanted) {
    const RunResult run = run_ropescope({"figur", "--help"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_THAT(run.err, HasSubstr("unknown command 'figur'; did you mean 'figure'"));
    EXPECT_EQ(run_ropescope({"figure", "--help"}).exit_code, 0);
    EXPECT_EQ(run_ropescope({"--help"}).exit_code, 0);
}

TEST(Messages, AnEmptyValueIsRefused) {
    for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
             {"--scene", "", "figure", "rotation", "-o", "a.csv"},
             {"figure", "rotation", "-o", ""},
             {"rotate", "x.npy", "-o", "y.npy", "--config", ""}}) {
        const RunResult run = run_ropescope(arguments);
        EXPECT_EQ(run.exit_code, 2);
        EXPECT_THAT(run.err, HasSubstr("the value is empty"));
    }
}

TEST(StandardStreams, WithoutStandardErrorTheExitCodeIsTheSame) {
    const test::TempFolder folder;
    const std::string config = (folder / "config.json").string();
    write_file_whole(config,
                     R"({"hidden_size": 64, "num_attention_heads": 4, "rope_theta": 10000})");
    for (const std::string no_stderr : {"2>&-", "2>/dev/full"}) {
        EXPECT_EQ(run_in_shell("\"$0\" figure nosuch -o x.csv " + no_stderr).exit_code, 2);
        EXPECT_EQ(run_in_shell("\"$0\" --nosuch " + no_stderr).exit_code, 2);
        // Here only a hint is printed: what was assumed about the model.
        EXPECT_EQ(run_in_shell("\"$0\" figure spectrum -o '" + (folder / "a.csv").string() +
                               "' --set model='" + config + "' " + no_stderr)
                      .exit_code,
                  0);
    }
}

/// `script` gives the program a terminal.
TEST(StandardStreams, ATerminalShowsHowFarALongFigureIs) {
    const test::TempFolder folder;
    const std::string path = (folder / "a.csv").string();
    const RunResult run = run_command(
        {"script", "-qec",
         test::program_path() + " --engine cpu figure attention -o '" + path + "'", "/dev/null"});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_THAT(run.out, testing::ContainsRegex("\rfigure +[0-9]+ %"));
    EXPECT_THAT(run.out, testing::EndsWith("\r\x1b[K"));
}

TEST(StandardStreams, AClosedOutputIsAnErrorAndNoFileTakesItsPlace) {
    EXPECT_EQ(run_in_shell("\"$0\" --parameters >&-").exit_code, 2);
    const test::TempFolder folder;
    const std::string path = (folder / "a.csv").string();
    const RunResult run =
        run_in_shell("\"$0\" figure spectrum -o '" + path + "' --set model=llama-3-8b >&- 2>&-");
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_THAT(read_file(path), testing::StartsWith("pair,"));
}

#ifndef ROPESCOPE_SANITIZED  // sanitizers map more memory than the limits below
// oneDNN, which writes code at the first product, dies where it gets no memory for that.
TEST(LittleMemory, AProductWithoutRoomIsRefusedInASentence) {
    const test::TempFolder folder;
    for (int kilobytes = 105000; kilobytes <= 130000; kilobytes += 2500) {
        const RunResult run = run_in_shell("ulimit -v " + std::to_string(kilobytes) +
                                           "; exec \"$0\" figure attention --engine cpu -o '" +
                                           (folder / "a.svg").string() + "'");
        const bool loaded = run.exit_code != 127;  // not too little for the libraries
        EXPECT_TRUE(!loaded || run.exit_code == 0 || run.exit_code == 3)
            << kilobytes << " " << run.exit_code;
    }
}
#endif

// A limit of processes as containers have it. Pango would end the process, llvmpipe wait for ever.
TEST(NoThreads, AreSaidOrDoneWithout) {
    const test::TempFolder folder;
    std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
    const auto run = [&](std::vector<std::string> words) {
        // root has no such limit; a sanitizer's search for leaks needs a thread
        words.insert(words.begin(),
                     {"/bin/sh", "-c",
                      "if [ $(id -u) = 0 ]; then as='setpriv --reuid=65534 --clear-groups'; fi\n"
                      "export ASAN_OPTIONS=\"$ASAN_OPTIONS:detect_leaks=0\"\n"
                      "exec prlimit --nproc=1 $as \"$@\"",
                      "sh", test::program_path()});
        return run_command(words);
    };
    for (const char* picture : {"figure", "screenshot"}) {
        const RunResult result = run({picture, "rotation", "-o", (folder / "a.png").string()});
        EXPECT_EQ(result.exit_code, 3) << picture << result.err;
        EXPECT_THAT(result.err, HasSubstr("none can be made: Resource temporarily unavailable; "
                                          "raise the limits of processes and memory"));
    }
    EXPECT_EQ(run({"backends"}).exit_code, 0);
}

}  // namespace
}  // namespace ropescope
