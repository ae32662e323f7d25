// Lessons: what their reader refuses, and that the lessons of the program are true.
#include "app/lessons/lesson.h"

#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <regex>
#include <set>

#include "app/figures/checks/checks.h"
#include "app/figures/view.h"
#include "app/lessons/lesson_checks.h"
#include "app/lessons/quantities.h"
#include "app/lessons/step_text.h"
#include "app/scene/parameters.h"
#include "app/scene/settings.h"
#include "app/scene/values.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "tests/support/paths.h"

namespace ropescope::lessons {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// A lesson with one step, whose members are `step`.
Lesson lesson_with(const std::string& step) {
    return read_lesson(fmt::format(R"({{"order": 1, "title": "A title", "about": "About it.",
                                       "steps": [{{"title": "One", {}}}]}})",
                                   step),
                       "test", "test.json");
}

const std::string kSentence = R"("text": ["A pair is two channels."])";

/// A file that is wrong, and a part of the message.
struct Wrong {
    const char* step;
    const char* message;
};

TEST(Lesson, RefusesWhatItDoesNotUnderstand) {
    for (const Wrong& wrong : {
             Wrong{R"("tekst": ["a"])", "'tekst' is not a key of a lesson here; did you mean"},
             Wrong{R"("text": [])", "'text' must be a list of sentences"},
             Wrong{R"("text": ["There are 64 pairs."])", "a number stands outside of braces"},
             Wrong{R"("text": ["There are {pair_cont} pairs."])", "did you mean 'pair_count'"},
             Wrong{R"("text": ["There are {pair_count pairs."])", "a brace has no partner"},
             Wrong{R"("text": ["There are {pair_count:x} pairs."])", "a number of decimals"},
             Wrong{R"("text": [{"says": "It is.", "holds": []}])", "'holds' must have a statement"},
             Wrong{R"("text": [{"says": "It is.", "holds": ["score"]}])", "one of = !="},
             Wrong{R"("text": ["It is."], "scene": ["bass=2"])", "bass"},
             Wrong{R"("text": ["It is."], "scene": ["rotary_dim=256"])", "step 1: scene"},
             Wrong{R"("text": ["It is."], "task": {"text": "Do.", "hint": "So."})",
                   "exactly one of 'until', 'point_at' and 'question'"},
             Wrong{R"("text": ["It is."],
                      "task": {"text": "Do.", "hint": "So.", "until": ["base > 1"]})",
                   "'until' and 'solution' belong together"},
             Wrong{R"("text": ["It is."], "task": {"text": "Do.", "hint": "So.",
                      "question": {"asks": "So?", "choices": ["a", "b"], "right": 3, "why": "c"}})",
                   "'right' must be a whole number from 1 to 2"},
         }) {
        EXPECT_THAT([&] { lesson_with(wrong.step); },
                    ThrowsMessage<InputError>(testing::AllOf(
                        testing::StartsWith("test.json: step 1"), HasSubstr(wrong.message))))
            << wrong.step;
    }
    EXPECT_THAT([] { read_lesson(R"({"order": 1, "steps": []})", "a", "a.json"); },
                ThrowsMessage<InputError>(HasSubstr("a.json: 'title' is missing")));
}

/// All texts of a step as its file has them.
std::vector<std::string> raw_texts(const Step& step) {
    std::vector<std::string> texts = {step.title};
    for (const Passage& passage : step.text) {
        texts.push_back(passage.text);
    }
    if (step.task) {
        texts.insert(texts.end(), {step.task->text, step.task->hint});
    }
    return texts;
}

TEST(Lessons, NameControlsByTheirParametersAlone) {
    const std::regex named(R"re((slider|control|controls, under|list|field) "([^"]*)")re");
    int labels = 0;
    for (const Lesson& lesson : all_lessons()) {
        for (const Step& step : lesson.steps) {
            for (const std::string& text : raw_texts(step)) {
                for (std::sregex_iterator at(text.begin(), text.end(), named), end; at != end;
                     ++at) {
                    const std::string name = (*at)[2];
                    ASSERT_TRUE(name.starts_with("{label:")) << lesson.id << ": " << text;
                    const std::string parameter = name.substr(7, name.size() - 8);
                    EXPECT_TRUE(figures::view_by_id(step.scene.view).reads(parameter))
                        << lesson.id << " names " << parameter << ", which " << step.scene.view
                        << " has not";
                    ++labels;
                }
            }
        }
    }
    EXPECT_GE(labels, 14);
}

TEST(Lesson, ASceneContinuesThatOfTheStepBefore) {
    const Lesson lesson = read_lesson(
        R"({"order": 1, "title": "A", "about": "B.", "steps": [
            {"title": "One", "text": ["It is."], "scene": ["view=spectrum", "base=500000"]},
            {"title": "Two", "text": ["It is."], "scene": ["selected_pair=3"]}]})",
        "a", "a.json");
    EXPECT_EQ(lesson.steps[1].scene.view, "spectrum");
    EXPECT_EQ(lesson.steps[1].scene.base, 500000);
    EXPECT_EQ(lesson.steps[1].scene.selected_pair, 3);
}

TEST(Lesson, NumbersOfATextAreComputedInItsScene) {
    const Lesson lesson = lesson_with(
        R"("text": ["{pair_count} pairs, θ {speed[selected_pair=1]:4}, bf16, {base}."],
           "scene": ["head_dim=8", "rotary_dim=8"])");
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    figures::FigureCache cache;
    EXPECT_EQ(step_text(lesson.steps[0], *engine, cache).text,
              "4 pairs, θ 0.1000, bf16, 10\u2009000.");
}

/// A check that is false is one that fails: the lessons below would tell.
TEST(LessonChecks, AFalseStatementFails) {
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    figures::FigureCache cache;
    const Scene scene;
    EXPECT_TRUE(judge("pair_count = 64", names_of(scene, *engine, cache)).holds);
    EXPECT_FALSE(judge("pair_count = 65", names_of(scene, *engine, cache)).holds);
}

class LessonCheck : public testing::TestWithParam<std::size_t> {};

TEST_P(LessonCheck, Holds) {
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    const std::vector<Check>& checks = lesson_checks();
    const Lesson& lesson = all_lessons()[GetParam()];
    for (const Check& check : checks) {
        if (check.id.starts_with(fmt::format("lesson.{}.", lesson.id))) {
            const CheckFinding finding = check.run({.engines = {engine.get()}});
            EXPECT_EQ(finding.status, Status::passed) << check.id << ": " << finding.detail;
        }
    }
}
INSTANTIATE_TEST_SUITE_P(All, LessonCheck, testing::Range<std::size_t>(0, all_lessons().size()),
                         [](const auto& lesson) {
                             std::string name = all_lessons()[lesson.param].id;
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

TEST(LessonChecks, OpenTheSceneOfTheirStepAndStateItInWords) {
    const auto check = std::ranges::find_if(lesson_checks(), [](const Check& of_step) {
        return of_step.figure.find(' ') != std::string::npos;
    });
    ASSERT_NE(check, lesson_checks().end());
    for (const Check& of_step : lesson_checks()) {
        std::vector<std::string> settings = figures::settings_of(of_step);
        ASSERT_FALSE(settings.empty()) << of_step.id;
        EXPECT_NO_THROW(apply_settings({}, settings)) << of_step.id;
        EXPECT_EQ(of_step.statement.find_first_of("{}"), std::string::npos) << of_step.statement;
    }
}

TEST(Lessons, AreTheFilesOfTheFolder) {
    std::set<std::string> files, ids;
    for (const auto& entry :
         std::filesystem::directory_iterator(test::source_dir() + "/assets/lessons")) {
        files.insert(entry.path().stem().string());
    }
    int order = 0;
    for (const Lesson& lesson : all_lessons()) {
        ids.insert(lesson.id);
        EXPECT_EQ(lesson.order, ++order) << lesson.id << ": the orders count from one";
    }
    EXPECT_EQ(ids, files);
    EXPECT_GE(ids.size(), 12U);
    EXPECT_THAT([] { lesson_by_id("one-pear"); },
                ThrowsMessage<InputError>(HasSubstr("did you mean 'one-pair'")));
}

TEST(Lessons, AreShortAndGiveSomethingToDo) {
    for (const Lesson& lesson : all_lessons()) {
        EXPECT_GE(lesson.steps.size(), 4U) << lesson.id;
        EXPECT_LE(lesson.steps.size(), 8U) << lesson.id;
        for (const Step& step : lesson.steps) {
            EXPECT_TRUE(step.task) << lesson.id << ": " << step.title << " has no task";
            EXPECT_LE(step.text.size(), 4U) << lesson.id << ": " << step.title;
        }
    }
}

TEST(Lessons, PointAtPanelsThatTheFigureHas) {
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    for (const Lesson& lesson : all_lessons()) {
        for (const Step& step : lesson.steps) {
            if (step.task && !step.task->point_at.empty()) {
                const plot::Figure figure = figures::make_figure(step.scene, *engine);
                EXPECT_TRUE(
                    std::ranges::count(figure.panels, step.task->point_at, &plot::Panel::id))
                    << lesson.id << ": " << step.title << ": " << step.task->point_at;
            }
        }
    }
}

/// Values of a parameter that its control offers, near its present one and at the ends.
std::vector<std::string> other_values(const Scene& scene, const Parameter& parameter) {
    std::vector<std::string> values = parameter.choices;
    if (is_number(parameter)) {
        const double now = number(scene, parameter),
                     step = parameter.step > 0 ? parameter.step : 0.25;
        const double middle = std::floor((parameter.min + parameter.max) / 2 / step) * step;
        for (const double value : {now - step, now + step, parameter.min, middle, parameter.max}) {
            if (value >= parameter.min && value <= parameter.max) {
                values.push_back(fmt::format("{}", value));
            }
        }
    }
    std::erase(values, parameter_text(scene, parameter));
    return values;
}

/// Whether some other value of the control leaves the task open. What has two values has only one
/// other, and only their models have scaling methods without settings of their own.
bool can_be_done_wrongly(const Step& step, const Parameter& parameter, Engine& engine) {
    figures::FigureCache cache;
    const std::vector<std::string> values = other_values(step.scene, parameter);
    return values.size() < 2 || std::ranges::any_of(values, [&](const std::string& value) {
               try {
                   const Scene tried = apply_settings(step.scene, {parameter.name + "=" + value});
                   return !is_fulfilled(*step.task, tried, engine, cache);
               } catch (const InputError&) {
                   return false;
               }
           });
}

TEST(Lessons, NoTaskIsDoneBeforeSomebodyActsOrByWhateverTheyDo) {
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    int tasks = 0;
    for (const Lesson& lesson : all_lessons()) {
        for (const Step& step : lesson.steps) {
            if (!step.task || step.task->until.empty()) {
                continue;
            }
            ++tasks;
            figures::FigureCache cache;
            EXPECT_FALSE(is_fulfilled(*step.task, step.scene, *engine, cache))
                << lesson.id << ": " << step.title << " is done before somebody acts";
            EXPECT_NE(solved_scene(step), step.scene) << lesson.id << ": " << step.title;
            for (const std::string& setting : step.task->solution) {
                const std::string name = setting.substr(0, setting.find('='));
                EXPECT_TRUE(can_be_done_wrongly(step, parameter_by_name(name), *engine))
                    << lesson.id << ": " << step.title << " is done by any value of " << name;
            }
        }
    }
    EXPECT_GT(tasks, 40);
}

/// Whether the statement asks for a number or a word that is computed. One that reads parameters
/// alone says only what the step's scene has just set.
bool is_computed(const std::string& statement) {
    bool computed = false;
    Names names = names_for_reading();
    names.number = [&](std::string_view name, const std::vector<std::string>&) {
        computed =
            computed || std::ranges::count(number_quantities(), name, &NumberQuantity::name) > 0;
        return 1.0;
    };
    names.word = [&](std::string_view name, const std::vector<std::string>&) {
        computed = computed || std::ranges::count(word_quantities(), name, &WordQuantity::name) > 0;
        return std::string();
    };
    judge(statement, names);
    return computed;
}

TEST(Lessons, StateNothingThatTheirSceneHasJustSet) {
    EXPECT_FALSE(is_computed("key_position - query_position = -7"));
    EXPECT_TRUE(is_computed("2 * pair_count = head_dim"));
    for (const Lesson& lesson : all_lessons()) {
        for (const Step& step : lesson.steps) {
            for (const std::string& statement : statements_of(step)) {
                EXPECT_TRUE(is_computed(statement)) << lesson.id << ": " << statement;
            }
        }
    }
}

TEST(LessonChecks, JudgeAtLeastOneStatement) {
    for (const Lesson& lesson : all_lessons()) {
        for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
            const Step& step = lesson.steps[i];
            const std::string id = fmt::format("lesson.{}.{}", lesson.id, i + 1);
            const bool states = !statements_of(step).empty();
            EXPECT_EQ(std::ranges::count(lesson_checks(), id, &Check::id), states ? 1 : 0)
                << id << ": that a task opens and closes says nothing of what the step tells";
        }
    }
}

// The terms of the field, each explained in the lesson in which a beginner meets it.
TEST(Lessons, ExplainTheTerms) {
    std::string all;
    for (const Lesson& lesson : all_lessons()) {
        for (const Step& step : lesson.steps) {
            for (const Passage& sentence : step.text) {
                all += sentence.text + "\n";
            }
        }
    }
    for (const char* sentence :
         {"A piece is called a token.", "The position of a token is", "A head is one of the parts",
          "They are called channels.", "a query, with which the token looks",
          "a key, by which it is found", "one number: the score", "the softmax makes probabilities",
          "This number is called the wavelength", "each is called a layout",
          "It is called the base", "The context is the number of tokens"}) {
        EXPECT_THAT(all, HasSubstr(sentence));
    }
}

TEST(LessonQuantities, AreNamedOnceAndExplained) {
    std::set<std::string_view> names;
    for (const NumberQuantity& quantity : number_quantities()) {
        EXPECT_TRUE(names.insert(quantity.name).second) << quantity.name;
        EXPECT_FALSE(quantity.says.empty()) << quantity.name;
    }
    for (const WordQuantity& quantity : word_quantities()) {
        EXPECT_TRUE(names.insert(quantity.name).second) << quantity.name;
    }
    const std::string page = read_file(test::source_dir() + "/docs/lessons.md");
    for (const std::string_view name : names) {
        EXPECT_NE(page.find(fmt::format("| `{}` |", name)), std::string::npos)
            << "docs/lessons.md does not explain " << name;
    }
}

}  // namespace
}  // namespace ropescope::lessons
