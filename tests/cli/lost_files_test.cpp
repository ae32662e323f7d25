// No command writes its output over a file that it was given to read.
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "core/base/file.h"
#include "core/base/write_file.h"
#include "tests/support/run_program.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

using testing::HasSubstr;

/// Command lines in which FILE is read and written.
const std::vector<std::vector<std::string>> kCommands = {
    {"rotate", "FILE", "-o", "FILE"},
    {"rotate", "q.npy", "--positions", "FILE", "-o", "FILE"},
    {"diagnose", "FILE", "--junit", "FILE"},
    {"diagnose", "dump.npz", "--expect", "FILE", "--junit", "FILE"},
    {"diff", "FILE", "dump.npz", "--junit", "FILE"},
    {"diff", "dump.npz", "FILE", "-o", "FILE"},
    {"diff", "a.npz", "b.npz", "-o", "FILE", "--junit", "FILE"},
    {"figure", "spectrum", "--set", "model=FILE", "-o", "FILE"},
    {"figure", "diagnose", "--set", "dump=q.npy,FILE", "-o", "FILE"},
    {"--scene", "FILE", "figure", "spectrum", "-o", "FILE"},
    {"--scene", "FILE", "record", "rotation", "--vary", "base=10,20", "-o", "FILE"},
    {"positions", "--config", "config.json", "--layout", "FILE", "-o", "FILE"},
    {"probe", "--config", "config.json", "--junit", "FILE", "--", "sh", "FILE"},
    {"vectors", "--check", "pack", "--results", "FILE", "--junit", "FILE"},
    {"encode", "--model", "model", "--ids", "FILE", "-o", "FILE"}};

std::vector<std::string> with_file(std::vector<std::string> words, const std::string& name) {
    for (std::string& word : words) {
        if (const std::size_t at = word.find("FILE"); at != std::string::npos) {
            word.replace(at, 4, name);
        }
    }
    return words;
}

TEST(LostFiles, AnOutputThatIsAlsoAnInputIsRefused) {
    const TempFolder folder;
    for (const auto& command : kCommands) {
        write_file_whole(folder / "file.npy", "what would be lost");
        const RunResult run = run_ropescope(with_file(command, "file.npy"),
                                            {.environment = {}, .directory = folder.path()});
        const std::string what = testing::PrintToString(command);
        EXPECT_EQ(run.exit_code, 2) << what;
        EXPECT_THAT(run.err, HasSubstr(": 'file.npy' is also ")) << what;
        EXPECT_THAT(run.err, HasSubstr(", which would be lost; give another name\n")) << what;
        EXPECT_EQ(read_file(folder / "file.npy"), "what would be lost") << what;
    }
}

TEST(LostFiles, TwoOutputsOfOneNameAreRefused) {
    const TempFolder folder;
    for (const char* other : {"same.svg", "./same.svg", "a/../same.svg"}) {
        const RunResult run =
            run_ropescope({"diff", "llama-2-7b", "llama-3-8b", "-o", "same.svg", "--junit", other},
                          {.environment = {}, .directory = folder.path()});
        EXPECT_EQ(run.exit_code, 2) << other;
        EXPECT_THAT(run.err, HasSubstr("is also the output of -o, which would be lost")) << other;
        EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << other;
    }
}

TEST(LostFiles, AnotherNameOfTheFileIsTheSameFile) {
    const TempFolder folder;
    write_file_whole(folder / "file.npy", "what would be lost");
    std::filesystem::create_symlink("file.npy", folder / "link.npy");
    std::filesystem::create_hard_link(folder / "file.npy", folder / "second.npy");
    for (const char* name : {"./file.npy", "link.npy", "second.npy"}) {
        const RunResult run = run_ropescope({"diagnose", "file.npy", "--junit", name},
                                            {.environment = {}, .directory = folder.path()});
        EXPECT_EQ(run.exit_code, 2) << name;
        EXPECT_THAT(run.err, HasSubstr("is also an input, which would be lost")) << name;
    }
}

TEST(LostFiles, ALinkThatLeadsToNoFileYetStaysALink) {
    const TempFolder folder;
    std::filesystem::create_directory(folder / "behind");
    std::filesystem::create_symlink("behind/spectrum.csv", folder / "spectrum.csv");
    std::filesystem::create_symlink("round.csv", folder / "round.csv");
    const RunResult run = run_ropescope({"figure", "spectrum", "-o", "spectrum.csv"},
                                        {.environment = {}, .directory = folder.path()});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "spectrum.csv"));
    EXPECT_THAT(read_file(folder / "behind/spectrum.csv"), HasSubstr("pair"));
    std::filesystem::create_symlink("behind/film.apng", folder / "film.apng");
    const RunResult film = run_ropescope(
        {"record", "rotation", "--vary", "position=0:2", "--size", "200x200", "-o", "film.apng"},
        {.environment = {}, .directory = folder.path()});
    EXPECT_EQ(film.exit_code, 0) << film.err;
    EXPECT_TRUE(std::filesystem::exists(folder / "behind/film.apng"));
    const RunResult round = run_ropescope({"figure", "spectrum", "-o", "round.csv"},
                                          {.environment = {}, .directory = folder.path()});
    EXPECT_EQ(round.exit_code, 2);
    EXPECT_THAT(round.err, HasSubstr("round.csv: cannot be written: Too many levels of symbolic"));
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "round.csv"));
}

// /dev/full takes nothing, as a disk that became full meanwhile.
TEST(LostFiles, AReportIsPrintedIfAFileBesideItCannotBeWritten) {
    for (const auto& [command, part] :
         std::vector<std::pair<std::vector<std::string>, std::string>>{
             {{"diff", "llama-2-7b", "llama-3-8b", "--junit", "/dev/full"}, "base"},
             {{"--device", "software", "check", "--filter", "rope.norm", "-o", "/dev/full"},
              "passed"},
             {{"probe", "--config", "llama-2-7b", "--junit", "/dev/full", "--", "false"},
              "request"}}) {
        const RunResult run = run_ropescope(command);
        EXPECT_EQ(run.exit_code, 2) << testing::PrintToString(command);
        EXPECT_THAT(run.out, HasSubstr(part)) << testing::PrintToString(command);
        EXPECT_THAT(run.err, HasSubstr("/dev/full: cannot be written: No space left on device"));
    }
}

TEST(LostFiles, AnOutputWithoutAPlaceIsRefusedBeforeAnyWork) {
    const TempFolder folder;
    write_file_whole(folder / "file", "");
    for (const auto& [output, why] : std::vector<std::pair<std::string, std::string>>{
             {"no/such/x.xml", "the folder 'no/such' does not exist"},
             {"file/x.xml", "cannot be created: Not a directory"},
             {std::string(300, 'x') + ".xml", "cannot be created: File name too long"}}) {
        const RunResult run = run_ropescope(
            {"probe", "--config", "llama-2-7b", "--junit", output, "--", "sh", "-c", "touch asked"},
            {.environment = {}, .directory = folder.path()});
        EXPECT_EQ(run.exit_code, 2) << output;
        EXPECT_THAT(run.err, HasSubstr(why));
        EXPECT_FALSE(std::filesystem::exists(folder / "asked")) << output;
    }
}

TEST(LostFiles, AnOlderOutputIsReplaced) {
    const TempFolder folder;
    write_file_whole(folder / "spectrum.csv", "older");
    const RunResult run = run_ropescope({"figure", "spectrum", "-o", "spectrum.csv"},
                                        {.environment = {}, .directory = folder.path()});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(read_file(folder / "spectrum.csv"), HasSubstr("pair"));
}

}  // namespace
}  // namespace ropescope::test
