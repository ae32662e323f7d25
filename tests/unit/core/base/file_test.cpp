#include "core/base/file.h"

#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "core/base/write_file.h"
#include "tests/support/input_error.h"
#include "tests/support/temp_folder.h"

namespace ropescope {
namespace {

namespace fs = std::filesystem;
using test::input_error;
using testing::HasSubstr;

std::size_t files_in(const fs::path& folder) {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

mode_t permissions(const fs::path& path) {
    struct stat status = {};
    return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777U : 0;
}

/// Lowers the size a file may grow to, so that writing fails half way.
class FileSizeLimit {
  public:
    explicit FileSizeLimit(rlim_t bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        ::getrlimit(RLIMIT_FSIZE, &old_);
        const rlimit lowered{bytes, old_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &lowered);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;
    ~FileSizeLimit() {
        ::setrlimit(RLIMIT_FSIZE, &old_);
        std::signal(SIGXFSZ, old_handler_);
    }

  private:
    rlimit old_ = {};
    void (*old_handler_)(int);
};

TEST(OpenedFile, LoadsWhatAnotherProcessMayShortenMeanwhile) {
    const test::TempFolder folder;
    const std::string contents(std::size_t{1} << 20, 'x');
    write_file_whole(folder / "x", contents);
    const MappedFile loaded = OpenedFile(folder / "x").load(contents.size());
    fs::resize_file(folder / "x", 0);
    ASSERT_EQ(loaded.bytes.size(), contents.size());
    EXPECT_TRUE(std::ranges::all_of(loaded.bytes, [](std::byte b) { return b == std::byte{'x'}; }));
}

TEST(OpenedFile, RefusesALongFileBeforeItIsRead) {
    const test::TempFolder folder;
    std::ofstream(folder / "sparse").close();
    fs::resize_file(folder / "sparse", std::uintmax_t{1} << 40);
    EXPECT_THAT(input_error([&] { OpenedFile(folder / "sparse").load(std::size_t{1} << 30); }),
                HasSubstr("is longer than the 1073741824 bytes that are read at most"));
}

TEST(WriteFileWhole, ReadsBackAndLeavesNothingBeside) {
    const test::TempFolder folder;
    const std::string contents("a\0b\n", 4);
    write_file_whole(folder / "x", contents);
    EXPECT_EQ(read_file(folder / "x"), contents);
    write_file_whole(folder / "x", "second");
    EXPECT_EQ(read_file(folder / "x"), "second");
    EXPECT_EQ(files_in(folder.path()), 1U);
}

TEST(WriteFileWhole, NewFilesFollowTheUmaskAndOldOnesKeepTheirMode) {
    const test::TempFolder folder;
    const mode_t old_mask = ::umask(027);
    write_file_whole(folder / "new", "x");
    ::umask(old_mask);
    EXPECT_EQ(permissions(folder / "new"), 0640U);
    ::chmod((folder / "new").c_str(), 0600);
    write_file_whole(folder / "new", "y");
    EXPECT_EQ(permissions(folder / "new"), 0600U);
}

TEST(WriteFileWhole, FollowsASymbolicLink) {
    const test::TempFolder folder;
    write_file_whole(folder / "real", "old");
    fs::create_symlink("real", folder / "link");
    write_file_whole(folder / "link", "new");
    EXPECT_TRUE(fs::is_symlink(folder / "link"));
    EXPECT_EQ(read_file(folder / "real"), "new");
}

TEST(WriteFileWhole, AFailureKeepsTheOldFileAndRemovesTheTemporaryOne) {
    const test::TempFolder folder;
    write_file_whole(folder / "x", "old");
    std::string message;
    {
        const FileSizeLimit limit(1000);
        message = input_error([&] { write_file_whole(folder / "x", std::string(5000, 'n')); });
    }
    EXPECT_THAT(message, HasSubstr((folder / "x").string()));
    EXPECT_EQ(read_file(folder / "x"), "old");
    EXPECT_EQ(files_in(folder.path()), 1U);
}

TEST(WriteFileWhole, RefusalsNameThePath) {
    const test::TempFolder folder;
    EXPECT_THAT(input_error([&] { write_file_whole(folder / "none/x", ""); }),
                testing::AllOf(HasSubstr("none/x"), HasSubstr("does not exist")));
    EXPECT_THAT(input_error([&] { write_file_whole(folder.path(), ""); }),
                testing::AllOf(HasSubstr(folder.path().string()), HasSubstr("is a folder")));
    // /proc takes no new files, not even from root.
    EXPECT_THAT(input_error([&] { write_file_whole("/proc/ropescope-test", ""); }),
                HasSubstr("/proc/ropescope-test: cannot be created"));
}

TEST(WriteFileWhole, APipeIsWrittenDirectly) {
    const test::TempFolder folder;
    const fs::path pipe = folder / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const std::string contents(200000, 'p');  // more than a pipe holds
    std::string received;
    std::thread reader([&] { received = read_file(pipe); });
    write_file_whole(pipe, contents);
    reader.join();
    EXPECT_EQ(received, contents);
    EXPECT_TRUE(fs::is_fifo(pipe));
    write_file_whole("/dev/null", "x");
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(WriteFileWhole, ARegularFileInDevIsReplacedAsElsewhere) {
    // /dev/shm is a folder for files in memory.
    const fs::path folder = fs::path("/dev/shm") / fmt::format("ropescope-test-{}", ::getpid());
    std::error_code error;
    if (!fs::create_directory(folder, error)) {
        GTEST_SKIP() << "this system has no writable /dev/shm";
    }
    const fs::path path = folder / "a.csv";
    write_file_whole(path, std::string(1000, 'a'));
    write_file_whole(path, "short");
    EXPECT_EQ(read_file(path), "short");
    EXPECT_EQ(files_in(folder), 1U);
    fs::remove_all(folder);
}

TEST(WriteFileWhole, AnOpenFileOfThisProcessIsContinued) {
    const test::TempFolder folder;
    const Descriptor log(::open((folder / "log").c_str(), O_RDWR | O_CREAT | O_APPEND, 0600));
    ASSERT_EQ(::write(log.get(), "first ", 6), 6);
    const std::string name = fmt::format("/dev/fd/{}", log.get());
    write_file_whole(name, "second ");
    fs::create_symlink(name, folder / "link");
    write_file_whole(folder / "link", "third");
    EXPECT_EQ(read_file(folder / "log"), "first second third");
    EXPECT_EQ(files_in(folder.path()), 2U);
}

TEST(ReadFile, RefusalsNameThePathAndTheReason) {
    const test::TempFolder folder;
    EXPECT_THAT(input_error([&] { read_file(folder / "none"); }),
                testing::AllOf(HasSubstr("none"), HasSubstr("No such file")));
    EXPECT_THAT(input_error([&] { read_file(folder.path()); }), HasSubstr("is a folder"));
    EXPECT_THAT(input_error([&] { read_file("/dev/zero", 1000); }), HasSubstr("1000 bytes"));
    EXPECT_THAT(input_error([&] { read_file("a\nb"); }), HasSubstr("a\\x0ab"));
}

TEST(PathKind, TellsWhatIsThereFromWhatCannotBeReached) {
    const test::TempFolder folder;
    write_file_whole(folder / "x", "");
    EXPECT_EQ(path_kind(folder / "x"), PathKind::file);
    EXPECT_EQ(path_kind(folder.path()), PathKind::folder);
    EXPECT_EQ(path_kind("/dev/null"), PathKind::other);
    EXPECT_EQ(path_kind(folder / "none"), PathKind::nothing);
    // Not even root gets through a loop of links, or through a file.
    fs::create_symlink("loop", folder / "loop");
    EXPECT_THAT(input_error([&] { path_kind(folder / "loop"); }), HasSubstr("symbolic links"));
    EXPECT_THAT(input_error([&] { path_kind(folder / "x/y"); }), HasSubstr("Not a directory"));
}

TEST(OpenedFile, APipeIsReadOnce) {
    const test::TempFolder folder;
    const fs::path pipe = folder / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    for (const std::string& contents : {std::string("short"), std::string(200000, 'p')}) {
        std::thread writer([&] { write_file_whole(pipe, contents); });
        OpenedFile file(pipe);
        EXPECT_EQ(file.start(), contents.substr(0, 16));
        EXPECT_EQ(std::move(file).text(contents.size()), contents);
        writer.join();
    }
}

TEST(OpenedFile, AFilesStartIsPartOfItsText) {
    const test::TempFolder folder;
    const std::string contents = "0123456789abcdefghij";
    write_file_whole(folder / "x", contents);
    OpenedFile file(folder / "x");
    EXPECT_EQ(file.start(), contents.substr(0, 16));
    EXPECT_EQ(std::move(file).text(contents.size()), contents);
    EXPECT_THAT(input_error([&] { read_file(folder / "x", contents.size() - 1); }),
                HasSubstr("longer than the 19 bytes"));
}

TEST(OpenedFile, OfADeviceThatIsNotRecognisedOnlyTheStartIsRead) {
    EXPECT_EQ(OpenedFile("/dev/zero").map(false).bytes.size(), 16U);
}

TEST(OpenedFile, APipeWhereAFileBelongsDoesNotWait) {
    const test::TempFolder folder;
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    EXPECT_THAT(input_error([&] { OpenedFile(folder / "pipe", Allowed::regular_file); }),
                HasSubstr("pipe: is a pipe or a device; a regular file is expected"));
}

TEST(OpenedFile, MapsTheBytesWhichOutliveTheName) {
    const test::TempFolder folder;
    write_file_whole(folder / "x", "bytes");
    const MappedFile mapped = OpenedFile(folder / "x").map(true);
    fs::remove(folder / "x");
    ASSERT_EQ(mapped.bytes.size(), 5U);
    EXPECT_EQ(std::to_integer<char>(mapped.bytes[4]), 's');
    write_file_whole(folder / "empty", "");
    EXPECT_TRUE(OpenedFile(folder / "empty").map(true).bytes.empty());
}

}  // namespace
}  // namespace ropescope
