// Folders that appear with all of their files or not at all.
#include "core/base/write_folder.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <string>

#include "core/base/file.h"
#include "core/base/write_file.h"
#include "tests/support/input_error.h"
#include "tests/support/temp_folder.h"

namespace ropescope {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// The paths of all that lies below the folder.
std::set<std::string> below(const fs::path& folder) {
    std::set<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        names.insert(entry.path().lexically_relative(folder).string());
    }
    return names;
}

TEST(FolderUnderWay, AppearsAtTheEndWithTheFoldersAboveIt) {
    const test::TempFolder folder;
    {
        FolderUnderWay site(folder / "a/b/");
        site.write("index.html", "i");
        site.write("views/one.html", "1");
        EXPECT_FALSE(fs::exists(folder / "a"));
        EXPECT_EQ(site.files(), 2U);
        site.publish();
    }
    EXPECT_THAT(below(folder.path()), testing::ElementsAre("a", "a/b", "a/b/index.html",
                                                           "a/b/views", "a/b/views/one.html"));
}

TEST(FolderUnderWay, LeavesNothingIfItIsNotPublished) {
    const test::TempFolder folder;
    write_file_whole(folder / "index.html", "old");
    for (const char* target : {".", "", "new", "deep/new"}) {
        FolderUnderWay site(folder.path() / target);
        site.write("index.html", "new");
    }
    EXPECT_THAT(below(folder.path()), testing::ElementsAre("index.html"));
    EXPECT_EQ(read_file(folder / "index.html"), "old");
}

TEST(FolderUnderWay, ReplacesTheFilesOfAFolderThatIsThereAndKeepsTheOthers) {
    const test::TempFolder folder;
    write_file_whole(folder / "index.html", "old");
    write_file_whole(folder / "mine", "mine");
    {
        FolderUnderWay site(folder.path());
        site.write("index.html", "new");
        site.write("views/one.html", "1");
        EXPECT_EQ(read_file(folder / "index.html"), "old");
        site.publish();
    }
    EXPECT_THAT(below(folder.path()),
                testing::ElementsAre("index.html", "mine", "views", "views/one.html"));
    EXPECT_EQ(read_file(folder / "index.html"), "new");
    EXPECT_EQ(read_file(folder / "mine"), "mine");
}

TEST(FolderUnderWay, ChangesNoFileIfOneCannotBeReplaced) {
    const test::TempFolder folder;
    write_file_whole(folder / "a", "old");
    fs::create_directories(folder / "b");
    {
        FolderUnderWay site(folder.path());
        site.write("a", "new");
        site.write("b", "new");
        EXPECT_THAT(test::input_error([&] { site.publish(); }), HasSubstr("is a folder"));
    }
    EXPECT_EQ(read_file(folder / "a"), "old");
    EXPECT_THAT(below(folder.path()), testing::ElementsAre("a", "b"));
}

TEST(FolderUnderWay, NamesTheFinalPlaceOfAFileThatCannotBeWritten) {
    const test::TempFolder folder;
    FolderUnderWay files(folder / "pack");
    const std::string said = test::input_error([&] {
        files.write_by("sub/data.bin", [](const fs::path& path) {
            throw InputError(path.string() + ": cannot be written: No space left on device");
        });
    });
    EXPECT_EQ(said, (folder / "pack/sub/data.bin").string() +
                        ": cannot be written: No space left on device");
}

TEST(FolderUnderWay, RefusesWhatIsNoFolder) {
    const test::TempFolder folder;
    write_file_whole(folder / "file", "");
    EXPECT_THAT(test::input_error([&] { FolderUnderWay{folder / "file"}; }),
                HasSubstr("cannot be made a folder"));
    EXPECT_THAT(test::input_error([&] { FolderUnderWay{folder / "file/x"}; }),
                HasSubstr("Not a directory"));
    EXPECT_THAT(test::input_error([] { FolderUnderWay{"/proc/none"}; }),
                HasSubstr("/proc/none: cannot be made"));
    EXPECT_THAT(test::input_error([] { FolderUnderWay{""}; }), HasSubstr("the name is empty"));
}

}  // namespace
}  // namespace ropescope
