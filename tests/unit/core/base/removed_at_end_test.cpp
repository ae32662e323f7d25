// What is temporary is gone however the process ends, and however deep it is.
#include "core/base/removed_at_end.h"

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/write_file.h"
#include "tests/support/input_error.h"
#include "tests/support/temp_folder.h"

namespace ropescope {
namespace {

namespace fs = std::filesystem;

/// Folders in each other, too many for one path, with a file in each.
void make_deep(const fs::path& top, int levels) {
    int folder = ::open(top.c_str(), O_RDONLY | O_DIRECTORY);
    for (int i = 0; i < levels; ++i) {
        ::close(::openat(folder, "file", O_WRONLY | O_CREAT, 0600));
        ASSERT_EQ(::mkdirat(folder, "ropescope-moved-0", 0700), 0);
        const int next = ::openat(folder, "ropescope-moved-0", O_RDONLY | O_DIRECTORY);
        ::close(folder);
        folder = next;
    }
    ::close(folder);
}

TEST(RemoveTree, RemovesWhatIsDeeperThanAPathAndWhatHasNoRights) {
    const test::TempFolder folder;
    const fs::path top = folder / "top";
    fs::create_directories(top / "shut/inside/below");
    write_file_whole(top / "shut/inside/file", "x");
    ::mkfifo((top / "pipe").c_str(), 0600);
    make_deep(top, 3000);
    ::chmod((top / "shut/inside").c_str(), 0);
    ::chmod((top / "shut").c_str(), 0);
    EXPECT_TRUE(remove_tree(top.c_str()));
    EXPECT_FALSE(fs::exists(top));
}

TEST(RemoveTree, DoesNotFollowLinks) {
    const test::TempFolder folder;
    fs::create_directories(folder / "top/inside");
    fs::create_directories(folder / "mine");
    write_file_whole(folder / "mine/file", "x");
    fs::create_directory_symlink(folder / "mine", folder / "top/link");
    fs::create_directory_symlink(folder / "mine", folder / "top/inside/link");
    EXPECT_TRUE(remove_tree((folder / "top").c_str()));
    EXPECT_TRUE(fs::exists(folder / "mine/file"));
    fs::create_directory_symlink(folder / "mine", folder / "link");
    EXPECT_TRUE(remove_tree((folder / "link").c_str()));
    EXPECT_TRUE(fs::exists(folder / "mine/file"));
    EXPECT_FALSE(fs::exists(fs::symlink_status(folder / "link")));
}

TEST(RemoveTree, TakesWhatIsNotThereForRemovedAndSaysWhatStays) {
    const test::TempFolder folder;
    EXPECT_TRUE(remove_tree((folder / "nothing").c_str()));
    EXPECT_FALSE(remove_tree("/proc/self"));
}

TEST(TemporaryFolder, IsRemovedWithItsFilesByASignal) {
    for (const int signal : {SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGPIPE, SIGALRM, SIGXCPU, SIGUSR1,
                             SIGUSR2, SIGVTALRM, SIGPROF, SIGIO, SIGRTMIN, SIGRTMAX}) {
        const test::TempFolder folder;
        const auto die = [&] {
            remove_temporary_files_on_signals();
            const TemporaryFolder frames(folder / "frames-", 0700);
            fs::create_directories(frames.path() / "a/b/c");
            write_file_whole(frames.path() / "a/b/c/file", "x");
            std::raise(signal);
        };
        EXPECT_EXIT(die(), testing::KilledBySignal(signal), "");
        EXPECT_TRUE(fs::is_empty(folder.path())) << "signal " << signal;
    }
}

TEST(TemporaryFolder, IsLeftAloneByACopyOfTheProcess) {
    const test::TempFolder folder;
    const TemporaryFolder ours(folder / "ours-", 0700);
    const auto end_a_copy = [&] {
        remove_temporary_files_on_signals();
        std::raise(SIGTERM);
    };
    EXPECT_EXIT(end_a_copy(), testing::KilledBySignal(SIGTERM), "");
    EXPECT_TRUE(fs::is_directory(ours.path()));
}

TEST(TemporaryFolder, GetsTheNameThatItKeepsWithTheRightsThatTheUmaskLeaves) {
    const test::TempFolder folder;
    const mode_t before = ::umask(027);
    {
        TemporaryFolder made(folder / "made-", 0777);
        made.publish(folder / "kept");
    }
    ::umask(before);
    struct stat status = {};
    ASSERT_EQ(::stat((folder / "kept").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0750U);
}

TEST(TemporaryFolder, SaysWhyItCannotBeMade) {
    EXPECT_THAT(test::input_error([] { TemporaryFolder("/proc/frames-", 0700, "film"); }),
                testing::HasSubstr("film: cannot be made a folder: "));
}

}  // namespace
}  // namespace ropescope
