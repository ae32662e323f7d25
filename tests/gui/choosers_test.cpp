// Lists of values and of models, as a person uses them with the mouse and with the keyboard.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <cstdlib>
#include <gtest/gtest.h>

#include "app/gui/state/actions.h"
#include "app/gui/state/model_menu.h"
#include "app/scene/parameters.h"
#include "core/base/write_file.h"
#include "tests/gui/person.h"
#include "tests/support/needs_egl.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

using gui::OpenEntry;

/// HOME while a test runs.
class HomeFolder {
  public:
    explicit HomeFolder(const std::string& path) {
        if (const char* now = std::getenv("HOME")) {
            before_ = now;
        }
        setenv("HOME", path.c_str(), 1);
    }
    HomeFolder(const HomeFolder&) = delete;
    HomeFolder& operator=(const HomeFolder&) = delete;
    ~HomeFolder() { before_ ? setenv("HOME", before_->c_str(), 1) : unsetenv("HOME"); }

  private:
    std::optional<std::string> before_;
};

TEST(Choosers, AValueIsChosenFromAListByItsName) {
    ROPESCOPE_NEEDS_EGL();
    Person person(in_view("context"));
    person.click("list of scaling");
    EXPECT_EQ(person.state().overlay, gui::Overlay::choices);
    EXPECT_TRUE(person.find("choice longrope")) << "all values are listed";
    person.click("choice yarn");
    EXPECT_EQ(person.scene().scaling, "yarn");
    EXPECT_EQ(person.state().overlay, gui::Overlay::none);
    EXPECT_EQ(person.state().history.undo_steps(), 1);
}

TEST(Choosers, TheKeyboardOpensWalksChoosesAndComesBack) {
    ROPESCOPE_NEEDS_EGL();
    Person person(in_view("precision"));
    const std::uint32_t list = person.probe("list of precision_chain").id;
    person.state().focus.set(list);
    person.key(GLFW_KEY_ENTER);
    ASSERT_EQ(person.state().overlay, gui::Overlay::choices);
    EXPECT_TRUE(person.state().focus.has(person.probe("choice fp32_angle").id))
        << "the list opens at the value that is set";
    person.key(GLFW_KEY_DOWN);
    person.key(GLFW_KEY_ENTER);
    EXPECT_EQ(person.state().overlay, gui::Overlay::none);
    EXPECT_NE(person.scene().precision_chain, Scene{}.precision_chain);
    EXPECT_TRUE(person.state().focus.has(list)) << "the control has the focus again";
    person.key(GLFW_KEY_LEFT);
    EXPECT_EQ(person.scene().precision_chain, Scene{}.precision_chain);
}

TEST(Choosers, HomeAndEndGoToTheEndsOfAList) {
    ROPESCOPE_NEEDS_EGL();
    Person person(in_view("context"));
    const std::vector<std::string> values =
        gui::listed_values(person.scene(), *find_parameter("scaling"));
    person.click("list of scaling");
    person.key(GLFW_KEY_END);
    EXPECT_TRUE(person.state().focus.has(person.probe("choice " + values.back()).id));
    person.key(GLFW_KEY_HOME);
    EXPECT_TRUE(person.state().focus.has(person.probe("choice " + values.front()).id));
    person.key(GLFW_KEY_END);
    person.key(GLFW_KEY_ENTER);
    EXPECT_EQ(person.scene().scaling, values.back());
    person.state().focus.set(person.probe("list of scaling").id);
    person.key(GLFW_KEY_HOME);
    EXPECT_EQ(person.scene().scaling, values.front()) << "without opening the list";
}

TEST(Choosers, ALetterGoesToTheNextNameThatBeginsWithIt) {
    ROPESCOPE_NEEDS_EGL();
    Person person(in_view("context"));
    person.click("list of scaling");
    person.key(GLFW_KEY_Y);
    EXPECT_TRUE(person.state().focus.has(person.probe("choice yarn").id));
    person.key(GLFW_KEY_ESCAPE);
    EXPECT_EQ(person.scene(), in_view("context"));
    EXPECT_EQ(person.state().overlay, gui::Overlay::none);
}

TEST(Choosers, AListThatTakesOtherValuesLetsOneTypeThem) {
    ROPESCOPE_NEEDS_EGL();
    Person person(in_view("axes"), {.width = 1400, .height = 1000});
    person.click("type axes_other");
    person.type("dinov3-vit-small");
    person.key(GLFW_KEY_ENTER);
    EXPECT_EQ(person.scene().axes_other, "dinov3-vit-small");
}

TEST(Choosers, EveryParameterWithMoreThanFourValuesHasNamesForThem) {
    for (const Parameter& parameter : parameters()) {
        const auto& values = gui::listed_values(Scene{}, parameter);
        for (const std::string& value : values.size() > 4 ? values : std::vector<std::string>{}) {
            const std::string name = gui::choice_name(parameter, value);
            EXPECT_NE(name, "") << parameter.name << "=" << value;
            EXPECT_FALSE(name == value && value.find('_') != std::string::npos)
                << parameter.name << ": '" << name << "' is an id, not a name";
        }
    }
}

TEST(ModelList, TypingFiltersAndEnterOpensTheFirst) {
    ROPESCOPE_NEEDS_EGL();
    Person person;
    person.key(GLFW_KEY_O, true);
    person.type("gemma 27");
    ASSERT_NE(person.state().open_menu.current(), nullptr);
    EXPECT_EQ(person.state().open_menu.current()->target, "gemma-3-27b");
    EXPECT_FALSE(person.find("llama-3-8b"));
    person.key(GLFW_KEY_ENTER);
    EXPECT_EQ(person.scene().model, "gemma-3-27b");
    EXPECT_EQ(person.state().overlay, gui::Overlay::none);
}

TEST(ModelList, ArrowsWalkThroughIt) {
    ROPESCOPE_NEEDS_EGL();
    Person person;
    person.key(GLFW_KEY_O, true);
    person.type("qwen3");
    person.key(GLFW_KEY_DOWN);
    person.key(GLFW_KEY_DOWN);
    person.key(GLFW_KEY_UP);
    person.key(GLFW_KEY_ENTER);
    EXPECT_EQ(person.scene().model, "qwen3-8b");
}

TEST(ModelList, EveryModelIsUnderItsFamily) {
    const auto entries = gui::open_entries("");
    std::string heading;
    std::size_t models = 0;
    for (const OpenEntry& entry : entries) {
        heading = entry.kind == OpenEntry::Kind::heading ? entry.text : heading;
        models += entry.kind == OpenEntry::Kind::model ? 1 : 0;
        if (entry.target == "vicuna-7b-16k") {
            EXPECT_EQ(heading, "Llama");
        }
        if (entry.target == "qwen2-vl-7b") {
            EXPECT_EQ(heading, "Images and videos");
        }
    }
    EXPECT_EQ(models, gui::model_menu().size());
}

TEST(ModelList, AWordThatNoModelHasSaysSo) {
    const auto entries = gui::open_entries("xyzzy");
    ASSERT_FALSE(entries.empty());
    EXPECT_EQ(entries.front().kind, OpenEntry::Kind::remark);
    EXPECT_NE(entries.front().text.find("xyzzy"), std::string::npos);
}

TEST(ModelList, APathListsItsFolderAndEnterGoesInto) {
    ROPESCOPE_NEEDS_EGL();
    const TempFolder folder;
    std::filesystem::create_directories(folder.path() / "models" / "mine");
    write_file_whole(folder.path() / "models" / "mine" / "config.json",
                     R"({"model_type": "llama", "head_dim": 64, "rope_theta": 500000.0,
                         "hidden_size": 512, "num_attention_heads": 8})");
    write_file_whole(folder.path() / "models" / "notes.txt", "not listed");
    const HomeFolder home(folder.path().string());
    Person person;
    person.key(GLFW_KEY_O, true);
    person.type("~/mod");
    person.key(GLFW_KEY_DOWN);
    person.key(GLFW_KEY_ENTER);
    EXPECT_EQ(person.state().edit.text, folder.path().string() + "/models/");
    person.type("mi");
    EXPECT_EQ(person.state().edit.text, folder.path().string() + "/models/mi")
        << "the path goes on where it ended";
    person.key(GLFW_KEY_DOWN);
    person.key(GLFW_KEY_ENTER);
    person.click(folder.path().string() + "/models/mine/config.json");
    EXPECT_EQ(person.state().error, "");
    EXPECT_EQ(person.scene().base, 500000.0);
    EXPECT_EQ(person.state().overlay, gui::Overlay::none);
}

TEST(OpenedFile, ASceneFileIsTheScene) {
    ROPESCOPE_NEEDS_EGL();
    const TempFolder folder;
    const std::string path = (folder.path() / "mine.json").string();
    write_file_whole(path, R"({"ropescope_scene": 1, "view": "decay", "base": 500000.0})");
    Person person;
    ASSERT_TRUE(gui::open_file(person.state(), path)) << person.state().error;
    EXPECT_EQ(person.scene().view, "decay");
    EXPECT_EQ(person.scene().base, 500000.0);
    person.key(GLFW_KEY_Z, true);
    EXPECT_EQ(person.scene(), Scene{});
}

}  // namespace
}  // namespace ropescope::test
