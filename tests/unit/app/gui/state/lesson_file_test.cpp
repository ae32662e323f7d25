// The progress of lessons, kept between two starts.
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/gui/state/lesson_run.h"
#include "core/base/file.h"
#include "core/base/write_file.h"
#include "tests/support/temp_folder.h"

namespace ropescope::gui {
namespace {

using test::TempFolder;
using testing::HasSubstr;

TEST(GuiLessonFile, AFirstStartOffersTheFirstLessonOnce) {
    const TempFolder folder;
    const std::filesystem::path path = folder / "config/ropescope/lessons.json";
    LessonRun first;
    LessonFile file(path);
    file.load(first);
    EXPECT_TRUE(first.offered);
    EXPECT_EQ(file.save(first), "") << "written although the offer was not answered";
    LessonRun second;
    LessonFile(path).load(second);
    EXPECT_FALSE(second.offered);
}

TEST(GuiLessonFile, KeepsTheProgress) {
    const TempFolder folder;
    const std::filesystem::path path = folder / "lessons.json";
    LessonRun run;
    run.progress = {{"one-pair", 3}, {"decay", 5}};
    EXPECT_EQ(LessonFile(path).save(run), "");
    LessonRun later;
    LessonFile(path).load(later);
    EXPECT_EQ(later.progress, run.progress);
    EXPECT_FALSE(later.offered);
}

TEST(GuiLessonFile, SetsABrokenFileAside) {
    const TempFolder folder;
    const std::filesystem::path path = folder / "lessons.json";
    int number = 0;
    for (const char* broken :
         {"", "{", "[]", R"({"ropescope_lessons": 1, "steps_done": {"a": "b"}})",
          R"({"ropescope_lessons": 1, "steps_done": {"a": -1}})"}) {
        write_file_whole(path, broken);
        LessonRun run;
        LessonFile file(path);
        EXPECT_THAT(file.load(run), HasSubstr("lessons.json.broken")) << broken;
        EXPECT_TRUE(run.progress.empty()) << broken;
        EXPECT_FALSE(run.offered) << "somebody who has a file is not new here";
        EXPECT_FALSE(std::filesystem::exists(path)) << broken;
        const std::string aside = ++number == 1 ? ".broken" : fmt::format(".broken-{}", number);
        EXPECT_EQ(read_file(folder / ("lessons.json" + aside)), broken)
            << "each has a name of its own, so that none is lost";
    }
}

TEST(GuiLessonFile, LeavesTheFileOfALaterVersionAsItIs) {
    const TempFolder folder;
    const std::filesystem::path path = folder / "lessons.json";
    const std::string later = R"({"ropescope_lessons": 2, "more": []})";
    write_file_whole(path, later);
    LessonRun run;
    LessonFile file(path);
    EXPECT_EQ(file.load(run), "");
    run.progress["decay"] = 1;
    EXPECT_THAT(file.save(run), HasSubstr("later version"));
    EXPECT_EQ(read_file(path), later);
}

TEST(GuiLessonFile, TwoWindowsKeepTheProgressOfBoth) {
    const TempFolder folder;
    const std::filesystem::path path = folder / "lessons.json";
    LessonFile a(path), b(path);
    LessonRun in_a, in_b;
    in_a.progress = {{"one-pair", 3}, {"decay", 1}};
    in_b.progress = {{"one-pair", 2}, {"many-speeds", 4}};
    EXPECT_EQ(a.save(in_a), "");
    EXPECT_EQ(b.save(in_b), "");
    const std::map<std::string, std::size_t> both = {
        {"one-pair", 3}, {"decay", 1}, {"many-speeds", 4}};
    EXPECT_EQ(in_b.progress, both) << "the list of lessons shows what the other window has done";
    LessonRun later;
    LessonFile(path).load(later);
    EXPECT_EQ(later.progress, both);
}

TEST(GuiLessonFile, SaysOnceThatItCannotBeWritten) {
    const TempFolder folder;
    write_file_whole(folder / "file", "");
    LessonFile file(folder / "file/lessons.json");
    LessonRun run;
    EXPECT_THAT(file.save(run), HasSubstr("cannot be kept"));
    EXPECT_EQ(file.save(run), "");
}

TEST(GuiLessonFile, WithoutAPathNothingHappens) {
    LessonRun run;
    LessonFile file("");
    file.load(run);
    EXPECT_FALSE(run.offered);
    EXPECT_EQ(file.save(run), "");
}

}  // namespace
}  // namespace ropescope::gui
