// Commands that write folders leave the whole of them or nothing, and say what they have cut.
#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "core/base/write_file.h"
#include "tests/support/paths.h"
#include "tests/support/run_program.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

using testing::HasSubstr;

class WholeFolders : public testing::Test {
  protected:
    /// Runs the program where no file may grow beyond 20 kB, as on a disk that is full.
    RunResult run_on_small_disk(const std::string& arguments) const {
        return run_command({"sh", "-c", "ulimit -f 40; exec \"$0\" " + arguments, program_path()},
                           {.environment = {}, .directory = folder_.path()});
    }
    bool is_empty() const { return std::filesystem::is_empty(folder_.path()); }

    TempFolder folder_;
};

TEST_F(WholeFolders, NothingIsLeftIfTheDiskIsFull) {
    for (const char* arguments : {"docs --no-pictures -o book", "docs --no-pictures -o a/b/book",
                                  "vectors --pack axes -o v",
                                  "record rotation --vary base=10,20 --size 1600x1200 -o frames"}) {
        const RunResult run = run_on_small_disk(arguments);
        EXPECT_EQ(run.exit_code, 2) << arguments;
        EXPECT_THAT(run.err, HasSubstr("cannot be written")) << arguments;
        EXPECT_TRUE(is_empty()) << arguments;
    }
}

#ifndef ROPESCOPE_SANITIZED  // its checks of types open files of their own, and end the program
                             // without
TEST_F(WholeFolders, NothingIsLeftIfNoMoreFilesCanBeOpened) {
    for (const char* arguments :
         {"docs --no-pictures -o book", "vectors --pack axes -o v", "site -o site"}) {
        bool refused = false;
        for (const char* most : {"4", "5", "6", "7", "8"}) {
            const RunResult run =
                run_command({"sh", "-c", "ulimit -n \"$1\"; exec \"$0\" " + std::string(arguments),
                             program_path(), most},
                            {.environment = {}, .directory = folder_.path()});
            refused = refused || run.exit_code != 0;
            if (run.exit_code != 0) {
                EXPECT_TRUE(is_empty()) << arguments << " with " << most << " files";
            }
            std::filesystem::remove_all(folder_.path());
            std::filesystem::create_directory(folder_.path());
        }
        EXPECT_TRUE(refused) << arguments;
    }
}
#endif

TEST_F(WholeFolders, AFileInTheirPlaceIsRefused) {
    write_file_whole(folder_ / "file", "");
    for (const char* command : {"docs", "site"}) {
        const RunResult run = run_ropescope({command, "-o", folder_ / "file"});
        EXPECT_EQ(run.exit_code, 2);
        EXPECT_THAT(run.err, HasSubstr("cannot be made a folder"));
    }
}

TEST_F(WholeFolders, CountsAndPagesThatAreTooLargeAreCutAndThatIsSaid) {
    const RunResult run = run_ropescope(
        {"figure", "table", "--vary", "base=10:1e5:100001", "-o", folder_ / "page.html"});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_THAT(run.err, HasSubstr("--vary: 100001 values were asked for; 41 are drawn, from the "
                                   "first to the last\n"));
    EXPECT_THAT(run.err, HasSubstr("--vary: 41 values make a page of more than 500000 bytes; "));
}

TEST_F(WholeFolders, ATemporaryFolderThatRequestsCannotNameIsRefused) {
    const std::string odd = folder_ / "\xff";
    std::filesystem::create_directory(odd);
    const RunResult run = run_ropescope({"probe", "--config", "llama-2-7b", "--", "true"},
                                        {.environment = {{"TMPDIR", odd}}});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, HasSubstr("is not UTF-8"));
    EXPECT_TRUE(std::filesystem::is_empty(odd));
}

}  // namespace
}  // namespace ropescope::test
