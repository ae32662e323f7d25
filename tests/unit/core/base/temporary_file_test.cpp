// Temporary files are published whole and never stay behind.
#include <csignal>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/write_file.h"
#include "tests/support/temp_folder.h"

namespace ropescope {
namespace {

std::ptrdiff_t entries_in(const std::filesystem::path& folder) {
    return std::distance(std::filesystem::directory_iterator(folder),
                         std::filesystem::directory_iterator());
}

TEST(TemporaryFile, IsRemovedUnlessItIsPublished) {
    const test::TempFolder folder;
    {
        const TemporaryFile lost(folder / "x");
        EXPECT_EQ(entries_in(folder.path()), 1);
    }
    EXPECT_EQ(entries_in(folder.path()), 0);
    TemporaryFile kept(folder / "x");
    ASSERT_EQ(::write(kept.descriptor(), "all", 3), 3);
    kept.publish();
    EXPECT_EQ(read_file(folder / "x"), "all");
    EXPECT_EQ(entries_in(folder.path()), 1);
}

TEST(TemporaryFile, ASignalThatEndsTheProgramRemovesIt) {
    for (const int signal : {SIGHUP, SIGINT, SIGTERM}) {
        const test::TempFolder folder;
        const auto die_while_writing = [&] {
            remove_temporary_files_on_signals();
            const TemporaryFile first(folder / "a");
            const TemporaryFile second(folder / "b");
            std::raise(signal);
        };
        EXPECT_EXIT(die_while_writing(), testing::KilledBySignal(signal), "");
        EXPECT_EQ(entries_in(folder.path()), 0) << "signal " << signal;
    }
}

TEST(TemporaryFile, AnIgnoredSignalStaysIgnored) {
    const auto survive = [] {
        std::signal(SIGHUP, SIG_IGN);
        remove_temporary_files_on_signals();
        std::raise(SIGHUP);
        std::_Exit(0);
    };
    EXPECT_EXIT(survive(), testing::ExitedWithCode(0), "");
}

TEST(TemporaryFile, AFileBeyondTheLimitOfTheProcessIsAnErrorAndLeavesNothing) {
    const test::TempFolder folder;
    const auto write_too_much = [&] {
        remove_temporary_files_on_signals();
        const rlimit limit{1000, 1000};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        try {
            write_file_whole(folder / "x", std::string(5000, 'n'));
        } catch (const std::exception&) {
            std::_Exit(2);
        }
        std::_Exit(0);
    };
    EXPECT_EXIT(write_too_much(), testing::ExitedWithCode(2), "");
    EXPECT_EQ(entries_in(folder.path()), 0);
}

}  // namespace
}  // namespace ropescope
