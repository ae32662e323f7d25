// What the window remembers, and scenes in files.
#include "app/gui/state/preferences.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "app/gui/state/app_state.h"
#include "app/gui/state/scene_files.h"
#include "app/gui/state/scene_text.h"
#include "app/scene/scene_json.h"
#include "app/scene/settings.h"
#include "core/base/file.h"
#include "core/base/write_file.h"
#include "tests/support/temp_folder.h"

namespace ropescope::gui {
namespace {

TEST(GuiPreferences, AreReadAsTheyAreWritten) {
    const test::TempFolder folder;
    const std::filesystem::path file = folder / "new" / "window.json";
    const Preferences written{.theme = "light",
                              .type_size = 1.21,
                              .width = 1000,
                              .height = 700,
                              .recent = {"llama-3-8b", "/a/b.json"},
                              .scene = "{}"};
    EXPECT_EQ(PreferenceFile(file).save(written), "");
    const LoadedPreferences read = PreferenceFile(file).load();
    EXPECT_EQ(read.preferences, written);
    EXPECT_EQ(read.remark, "");
}

TEST(GuiPreferences, WithoutAFileAreTheDefaultsWithoutAWord) {
    const test::TempFolder folder;
    const LoadedPreferences read = PreferenceFile(folder / "window.json").load();
    EXPECT_EQ(read.preferences, Preferences{});
    EXPECT_EQ(read.remark, "");
}

TEST(GuiPreferences, ABrokenFileIsSetAside) {
    const test::TempFolder folder;
    int number = 0;
    for (const char* broken : {"{\"theme\": ", "[1]", "", "\xff\xfe"}) {
        const std::filesystem::path file = folder / "window.json";
        write_file_whole(file, broken);
        const LoadedPreferences read = PreferenceFile(file).load();
        EXPECT_EQ(read.preferences, Preferences{}) << broken;
        EXPECT_NE(read.remark.find("window.json.broken"), std::string::npos) << read.remark;
        EXPECT_FALSE(std::filesystem::exists(file));
        const std::string aside = ++number == 1 ? ".broken" : fmt::format(".broken-{}", number);
        EXPECT_EQ(read_file(folder / ("window.json" + aside)), broken);
    }
}

TEST(GuiPreferences, WhatIsNoFileKeepsNobodyWaitingAndIsReplaced) {
    const test::TempFolder folder;
    const std::filesystem::path file = folder / "window.json";
    const auto make = std::to_array<std::function<void()>>(
        {[&] { ::mkfifo(file.c_str(), 0600); }, [&] { std::filesystem::create_directory(file); },
         [&] { std::filesystem::create_symlink("/dev/zero", file); },
         [&] { std::filesystem::create_symlink(file, file); },
         [&] { write_file_whole(file, std::string(kMostPreferenceBytes + 1, ' ')); }});
    for (std::size_t i = 0; i < make.size(); ++i) {
        make[i]();
        PreferenceFile preferences(file);
        const LoadedPreferences read = preferences.load();
        EXPECT_EQ(read.preferences, Preferences{}) << i;
        EXPECT_NE(read.remark.find("window.json.broken"), std::string::npos) << read.remark;
        make[i]();  // and again while the window is open
        EXPECT_EQ(preferences.save({.theme = "light"}), "") << i;
        EXPECT_EQ(PreferenceFile(file).load().preferences.theme, "light") << i;
        std::filesystem::remove(file);
    }
}

TEST(GuiPreferences, TwoWindowsKeepWhatEachHasChanged) {
    const test::TempFolder folder;
    const std::filesystem::path file = folder / "window.json";
    PreferenceFile(file).save({.theme = "dark", .recent = {"x", "y"}, .scene = "{}"});
    PreferenceFile a(file), b(file);
    Preferences in_a = a.load().preferences, in_b = b.load().preferences;
    in_a.theme = "light";
    in_a.recent = {"a", "x", "y"};
    in_b.type_size = 1.5;
    in_b.recent = {"y", "b", "x"};
    EXPECT_EQ(a.save(in_a), "");
    EXPECT_EQ(b.save(in_b), "");
    Preferences both = PreferenceFile(file).load().preferences;
    EXPECT_EQ(both.theme, "light") << "b had not changed it";
    EXPECT_EQ(both.type_size, 1.5);
    EXPECT_THAT(both.recent, testing::ElementsAre("y", "b", "a", "x"));
    EXPECT_EQ(a.save(in_a), "");
    EXPECT_EQ(PreferenceFile(file).load().preferences, both) << "a had nothing new";
}

TEST(GuiPreferences, WhatALaterVersionKeepsStays) {
    const test::TempFolder folder;
    write_file_whole(folder / "window.json", R"({"theme": "dark", "more": [1, 2]})");
    PreferenceFile file(folder / "window.json");
    file.load();
    EXPECT_EQ(file.save({.theme = "light"}), "");
    const std::string text = read_file(folder / "window.json");
    EXPECT_NE(text.find("more"), std::string::npos) << text;
    EXPECT_NE(text.find("light"), std::string::npos) << text;
}

TEST(GuiPreferences, ValuesThatAreNotPossibleAreTheDefaults) {
    const test::TempFolder folder;
    write_file_whole(folder / "window.json",
                     R"({"theme": "pink", "type_size": 1000, "width": -4, "recent": 7})");
    const LoadedPreferences read = PreferenceFile(folder / "window.json").load();
    EXPECT_EQ(read.preferences, Preferences{});
    EXPECT_EQ(read.remark, "");
}

TEST(GuiPreferences, ASceneThatCannotBeReadIsLeftOut) {
    AppState state;
    apply_preferences(state, {.theme = "light", .scene = R"({"ropescope_scene": 1, "view": "x"})"},
                      true);
    EXPECT_EQ(state.scene, Scene{});
    EXPECT_EQ(state.theme.name, "light");
    EXPECT_NE(state.notice.text, "");
}

TEST(SceneFile, IsReadAsItIsWritten) {
    for (const std::vector<std::string>& settings :
         {std::vector<std::string>{},
          {"base=500000", "view=decay"},
          {"model=llama-3.1-8b"},
          {"model=gemma-3-27b", "pairs=1,2,3", "dump_expected=no", "layout=interleaved"},
          {"scaling=longrope", "head_dim=4", "rotary_dim=4", "longrope_long=1.5,2.25"}}) {
        const Scene scene = apply_settings({}, settings);
        EXPECT_EQ(scene_from_json(scene_to_json(scene), "test"), scene) << scene_to_json(scene);
    }
}

TEST(SceneFile, GetsItsEndingAndIsRemembered) {
    const test::TempFolder folder;
    AppState state;
    ASSERT_TRUE(save_scene(state, (folder / "mine").string())) << state.error;
    EXPECT_EQ(state.scene_path, (folder / "mine.json").string());
    ASSERT_EQ(state.recent.size(), 1U);
    EXPECT_EQ(scene_from_json(read_file(folder / "mine.json"), "test"), state.scene);
    EXPECT_FALSE(save_scene(state, "/no/such/folder/x"));
    EXPECT_NE(state.error.find("/no/such/folder/x"), std::string::npos) << state.error;
}

TEST(SceneFile, IsReplacedOnlyAfterAQuestion) {
    const test::TempFolder folder;
    const std::string path = (folder / "there.json").string();
    write_file_whole(path, "old");
    AppState state;
    EXPECT_TRUE(must_ask(state, path));
    EXPECT_NE(state.error.find("there.json"), std::string::npos);
    EXPECT_FALSE(must_ask(state, path)) << "the second time is the answer";
    EXPECT_FALSE(must_ask(state, (folder / "new.json").string()));
}

TEST(SceneChanges, SayWhatDiffersFromTheModel) {
    Scene scene = apply_settings({}, {"model=llama-3-8b", "view=decay"});
    EXPECT_EQ(changes_text(scene), "");
    scene.base = 20000;
    EXPECT_EQ(changes_text(scene), "base 20000, was 500000");
    EXPECT_EQ(unchanged_scene(scene), apply_settings({}, {"model=llama-3-8b", "view=decay"}));
}

}  // namespace
}  // namespace ropescope::gui
