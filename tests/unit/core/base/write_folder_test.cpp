// Folders that appear with all of their files or not at all.
#include "core/base/write_folder.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <thread>

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

TEST(FolderUnderWay, RemovesWhatAnEarlierRunLeftIfItIsToldWhatThatIs) {
    const test::TempFolder folder;
    write_file_whole(folder / "1.npz", "old");
    write_file_whole(folder / "2.npz", "old");
    write_file_whole(folder / "mine", "mine");
    FolderUnderWay files(folder.path());
    files.write("1.npz", "new");
    files.publish([](const std::string& name) { return name.ends_with(".npz"); });
    EXPECT_EQ(read_file(folder / "1.npz"), "new");
    EXPECT_FALSE(fs::exists(folder / "2.npz"));
    EXPECT_EQ(read_file(folder / "mine"), "mine");
}

TEST(FolderUnderWay, OfTwoThatEndAtOnceOneIsWhole) {
    const test::TempFolder folder;
    const auto write = [&](const std::string& text) {
        FolderUnderWay files(folder.path());
        for (int i = 0; i < 50; ++i) {
            files.write(std::to_string(i), text);
        }
        files.publish();
    };
    for (int round = 0; round < 20; ++round) {
        std::thread other([&] { write("a"); });
        write("b");
        other.join();
        std::set<std::string> found;
        for (int i = 0; i < 50; ++i) {
            found.insert(read_file(folder / std::to_string(i)));
        }
        EXPECT_EQ(found.size(), 1U);
    }
}

TEST(FolderUnderWay, OfTwoThatMakeItAtOnceTheLaterOneReplacesTheFiles) {
    const test::TempFolder folder;
    for (const char* name : {"new", "a/b/new"}) {
        FolderUnderWay first(folder / name), second(folder / name);
        first.write("1", "first");
        second.write("1", "second");
        second.write("deep/2", "second");
        first.publish();
        second.publish();
        EXPECT_EQ(read_file(folder / name / "1"), "second");
        EXPECT_EQ(read_file(folder / name / "deep/2"), "second");
    }
    EXPECT_EQ(below(folder.path()).count("a/b/new/deep/2"), 1U);
}

TEST(FolderUnderWay, ALinkToNothingIsSaidToBeOne) {
    const test::TempFolder folder;
    fs::create_directory_symlink("nowhere", folder / "link");
    for (const char* name : {"link", "link/site"}) {
        EXPECT_THAT(test::input_error([&] { FolderUnderWay{folder / name}; }),
                    HasSubstr("link' is a link to 'nowhere', which does not exist"));
    }
    EXPECT_THAT(test::input_error([&] { write_file_whole(folder / "link/file", ""); }),
                HasSubstr("link' is a link to 'nowhere', which does not exist"));
    EXPECT_THAT(test::input_error([&] { require_place_for(folder / "link/file"); }),
                HasSubstr("link' is a link to 'nowhere', which does not exist"));
}

TEST(FolderUnderWay, AFolderThatTakesNoNewFilesIsSaidToBeOne) {
    EXPECT_THAT(test::input_error([] { write_file_whole("/proc/x.json", ""); }),
                HasSubstr("/proc/x.json: cannot be created: its folder takes no new files"));
    EXPECT_THAT(test::input_error([] { FolderUnderWay{"/proc/x"}; }),
                HasSubstr("/proc/x: cannot be made a folder: its folder takes no new files"));
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
