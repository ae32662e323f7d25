#include "app/web/spoken.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/gui/state/actions.h"
#include "app/gui/state/lesson_run.h"
#include "app/gui/state/model_menu.h"
#include "app/gui/state/scene_text.h"
#include "app/scene/parameters.h"

namespace ropescope::web {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

class Spoken : public ::testing::Test {
  protected:
    Spoken() { state_.engine = engine_.get(); }
    nlohmann::json json() {
        gui::update_figure(state_);
        return nlohmann::json::parse(spoken_json(state_));
    }
    static std::vector<std::string> names(const nlohmann::json& controls) {
        std::vector<std::string> list;
        for (const auto& control : controls) {
            list.push_back(control["name"]);
        }
        return list;
    }

    std::unique_ptr<Engine> engine_ = make_cpu_engine(1);
    gui::AppState state_;
};

TEST_F(Spoken, SaysTheFigureAndItsControls) {
    const nlohmann::json said = json();
    EXPECT_EQ(said["view"], "rotation");
    EXPECT_FALSE(said["title"].get<std::string>().empty());
    EXPECT_EQ(said["report"], state_.shown.figure()->report);
    EXPECT_THAT(names(said["controls"]), Contains("query_position"));
    EXPECT_THAT(names(said["controls"]), Not(Contains("decay_range")));
}

TEST_F(Spoken, SaysWhetherAFigureIsWholeAndWhatTheChecksFound) {
    EXPECT_EQ(json()["work"], "");
    state_.shown.may_draft = true;
    gui::set_value(state_, "view", "decay");
    EXPECT_EQ(json()["work"], "The whole figure is being computed.");
    state_.shown.refining.stopped = true;
    EXPECT_THAT(json()["work"].get<std::string>(), HasSubstr("stopped"));
    EXPECT_EQ(json()["run"], "");
    state_.checks.phase = gui::ChecksState::Phase::running;
    EXPECT_EQ(json()["run"], "The checks are running.");
    state_.checks.phase = gui::ChecksState::Phase::over;
    EXPECT_EQ(json()["run"], "0 checks hold.");
}

TEST_F(Spoken, SaysWhatAnAnswerWasWorth) {
    gui::open_lesson(state_, "one-pair");
    gui::LessonRun& run = state_.lessons;
    while (!run.current().task || !run.current().task->question) {
        gui::next_step(state_);
    }
    EXPECT_EQ(json()["lesson"]["task"], run.text.asks);
    EXPECT_EQ(json()["lesson"]["answered"], "");
    const std::size_t right = run.current().task->question->right;
    gui::answer(state_, right == 0 ? 1 : 0);
    EXPECT_THAT(json()["lesson"]["answered"].get<std::string>(), HasSubstr("Not this"));
    gui::answer(state_, right);
    EXPECT_EQ(json()["lesson"]["answered"], run.text.why);
}

TEST_F(Spoken, SaysWhatAStepNeedsFirstAndTheWaysOn) {
    gui::open_lesson(state_, "one-pair");
    gui::next_step(state_);
    EXPECT_THAT(json()["first"], Contains("query_position"));
    EXPECT_EQ(json()["lesson"]["solution"], "") << "without a hint";
    gui::show_hint(state_);
    EXPECT_EQ(json()["lesson"]["solution"], "Do it for me");
    gui::show_solution(state_);
    gui::watch_task(state_, "");
    EXPECT_EQ(json()["lesson"]["solution"], "") << "it is done";
    EXPECT_EQ(json()["lesson"]["after"], "");
    while (!state_.lessons.is_last()) {
        gui::next_step(state_);
    }
    EXPECT_EQ(json()["lesson"]["after"], gui::lesson_after(*state_.lessons.lesson)->title);
}

TEST_F(Spoken, SaysTheValuesToWhichKeysOrALessonPoint) {
    EXPECT_EQ(json()["values"], "");
    state_.figure_cursor.values = {{"m", "3"}, {"angle", "0.75 rad"}};
    EXPECT_EQ(json()["values"], "m: 3, angle: 0.75 rad");
}

TEST_F(Spoken, ListsWhatCanBeChosen) {
    const nlohmann::json lists = nlohmann::json::parse(lists_json());
    for (const char* name : {"views", "lessons", "models"}) {
        ASSERT_GT(lists[name].size(), 10U) << name;
        EXPECT_FALSE(lists[name][0]["id"].get<std::string>().empty());
        EXPECT_FALSE(lists[name][0]["name"].get<std::string>().empty());
    }
    EXPECT_EQ(json()["model"], state_.scene.model);
    EXPECT_EQ(json()["undo"], false);
    gui::choose_model(state_, "llama-3-8b");
    EXPECT_EQ(json()["model"], "llama-3-8b");
    EXPECT_EQ(json()["undo"], true);
}

TEST_F(Spoken, NamesControlsAndChoicesAsTheWindowDoes) {
    gui::set_value(state_, "view", "attention");
    const nlohmann::json said = json();
    std::size_t lists = 0;
    for (const auto& control : said["controls"]) {
        const Parameter& parameter = parameter_by_name(control["name"].get<std::string>());
        EXPECT_EQ(control["label"], gui::control_label(parameter));
        if (!control.contains("choices")) {
            continue;
        }
        ++lists;
        ASSERT_EQ(control["choices"].size(), parameter.choices.size()) << parameter.name;
        EXPECT_EQ(control["value_name"],
                  gui::choice_name(parameter, control["value"].get<std::string>()));
        for (const auto& choice : control["choices"]) {
            EXPECT_EQ(choice["name"], gui::choice_name(parameter, choice["id"].get<std::string>()));
        }
    }
    EXPECT_GT(lists, 0U);
    EXPECT_EQ(said["model_name"], "trained RoFormer");
    EXPECT_EQ(said["model_file"], gui::model_title(state_.scene));
}

TEST_F(Spoken, NamesAModelAsTheListOfModelsDoes) {
    for (const gui::ModelEntry& model : gui::model_menu()) {
        if (!model.several_axes) {
            gui::set_value(state_, "view", "spectrum");
            gui::choose_model(state_, model.id);
            EXPECT_EQ(gui::shown_title(state_.scene), model.title) << model.id;
        }
    }
}

TEST_F(Spoken, FollowsTheScene) {
    gui::set_value(state_, "view", "decay");
    gui::set_value(state_, "base", "500000");
    const nlohmann::json said = json();
    EXPECT_THAT(names(said["controls"]), Contains("decay_range"));
    for (const auto& control : said["controls"]) {
        if (control["name"] == "base") {
            EXPECT_EQ(control["value"], "500000");
            EXPECT_GT(control["max"], 500000);
        }
    }
}

TEST_F(Spoken, SaysErrorsAndTheStepOfALesson) {
    gui::set_value(state_, "base", "fast");
    EXPECT_THAT(json()["error"].get<std::string>(), HasSubstr("base"));
    EXPECT_FALSE(json().contains("lesson"));
    gui::open_lesson(state_, "one-pair");
    const nlohmann::json lesson = json()["lesson"];
    EXPECT_EQ(lesson["step"], 1);
    EXPECT_EQ(lesson["text"], state_.lessons.text.text);
}

}  // namespace
}  // namespace ropescope::web
