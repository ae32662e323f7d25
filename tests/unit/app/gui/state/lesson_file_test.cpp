// The progress of lessons, kept between two starts.
#include <cstdlib>
#include <filesystem>
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
    for (const char* broken : {"", "{", "[]", R"({"ropescope_lessons": 2, "steps_done": {}})",
                               R"({"ropescope_lessons": 1, "steps_done": {"a": "b"}})"}) {
        write_file_whole(path, broken);
        LessonRun run;
        LessonFile file(path);
        file.load(run);
        EXPECT_TRUE(run.progress.empty()) << broken;
        EXPECT_FALSE(run.offered) << "somebody who has a file is not new here";
        EXPECT_FALSE(std::filesystem::exists(path)) << broken;
        EXPECT_EQ(read_file(folder / "lessons.json.broken"), broken);
    }
}

TEST(GuiLessonFile, SaysOnceThatItCannotBeWritten) {
    const TempFolder folder;
    write_file_whole(folder / "file", "");
    LessonFile file(folder / "file/lessons.json");
    EXPECT_THAT(file.save({}), HasSubstr("cannot be kept"));
    EXPECT_EQ(file.save({}), "");
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
