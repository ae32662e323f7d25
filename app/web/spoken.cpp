// Collects what the window shows.
#include "app/web/spoken.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "app/figures/view.h"
#include "app/gui/state/checks_text.h"
#include "app/gui/state/finder.h"
#include "app/gui/state/hall.h"
#include "app/gui/state/lesson_run.h"
#include "app/gui/state/model_menu.h"
#include "app/gui/state/scene_text.h"
#include "app/lessons/lesson.h"
#include "app/lessons/step_text.h"
#include "app/scene/parameters.h"
#include "app/scene/sliders.h"
#include "app/scene/values.h"

namespace ropescope::web {
namespace {

using Json = nlohmann::json;

Json control_json(const Scene& scene, const Parameter& parameter) {
    Json control = {{"name", parameter.name},
                    {"label", gui::control_label(parameter)},
                    {"help", parameter.help},
                    {"unit", parameter.unit},
                    {"value", parameter_text(scene, parameter)}};
    if (!parameter.choices.empty()) {
        control["value_name"] = gui::choice_name(parameter, parameter_text(scene, parameter));
        for (const std::string& value : parameter.choices) {
            control["choices"].push_back(
                {{"id", value}, {"name", gui::choice_name(parameter, value)}});
        }
    } else if (is_number(parameter)) {
        const SliderRange range = slider_range(scene, parameter);
        control["min"] = range.min;
        control["max"] = range.max;
        control["step"] = parameter.step;
        if (parameter.scale == Scale::logarithmic) {
            control["place"] = slider_fraction(scene, parameter);
        }
    }
    return control;
}

/// What the last answer to the step's question was worth; empty before the first one.
std::string answered(const gui::LessonRun& run) {
    if (!run.answer || !run.current().task || !run.current().task->question) {
        return "";
    }
    return *run.answer == run.current().task->question->right
               ? run.text.why
               : "Not this: " + run.text.choices[*run.answer];
}

std::string formulas_aloud(const lessons::Step& step) {
    std::string all;
    for (const std::string& formula : step.formulas) {
        all += (all.empty() ? "Formula: " : "; ") + lessons::formula_in_words(formula);
    }
    return all;
}

/// What the button is called that does the task in the reader's place; empty: there is none, or no
/// hint was asked for yet.
std::string solution_name(const gui::LessonRun& run) {
    const std::optional<lessons::Task>& task = run.current().task;
    return task && !run.done && run.hint_shown ? "Do it for me" : "";
}

Json lesson_json(const gui::LessonRun& run) {
    const lessons::Lesson* const following = gui::lesson_after(*run.lesson);
    return {{"title", run.lesson->title},
            {"step", run.step + 1},
            {"steps", run.lesson->steps.size()},
            {"heading", run.text.title},
            {"text", run.text.text},
            {"formulas", formulas_aloud(run.current())},
            {"task", run.text.asks.empty() ? run.text.task : run.text.asks},
            {"choices", run.text.choices},
            {"hint", run.hint_shown ? run.text.hint : std::string()},
            {"answered", answered(run)},
            {"solution", solution_name(run)},
            {"after", following == nullptr || !run.is_last() ? "" : following->title},
            {"last", run.is_last()},
            {"done", run.done}};
}

/// "m: 3, angle: 0.75 rad"
std::string values_text(const gui::FigureCursor& cursor) {
    std::string text;
    for (const plot::Readout& value : cursor.values) {
        text += (text.empty() ? "" : ", ") + value.name + ": " + std::string(value.value);
    }
    return text;
}

/// What becomes of the figure, while it is not whole.
std::string work_text(const gui::ShownFigure& shown) {
    return !shown.is_draft()        ? ""
           : shown.refining.stopped ? "The figure is not whole: its computation was stopped."
                                    : "The whole figure is being computed.";
}

/// The beginning and the result of a run; what lies between would be too much to hear.
std::string run_text(const gui::ChecksState& checks) {
    using enum gui::ChecksState::Phase;
    return checks.phase == running ? "The checks are running."
           : checks.phase == over  ? gui::checks_text(checks) + "."
                                   : "";
}

}  // namespace

std::string lists_json() {
    Json json = {{"views", Json::array()}, {"lessons", Json::array()}, {"models", Json::array()}};
    for (const figures::View& view : figures::views()) {
        json["views"].push_back({{"id", view.id}, {"name", view.name}});
    }
    for (const lessons::Lesson& lesson : lessons::all_lessons()) {
        json["lessons"].push_back({{"id", lesson.id}, {"name", lesson.title}});
    }
    for (const gui::ModelEntry& model : gui::model_menu()) {
        json["models"].push_back({{"id", model.id}, {"name", model.title}});
    }
    return json.dump();
}

std::string spoken_json(const gui::AppState& state) {
    const figures::View& view = figures::view_by_id(state.scene.view);
    Json json = {{"view", view.id}, {"name", view.name}, {"question", view.question}};
    Scene own = state.scene;
    own.model = gui::shows_axes_model(own) ? own.axes_model : own.model;
    json["model"] = own.model;
    json["model_file"] = gui::model_title(own);
    json["undo"] = state.history.undo_steps() > 0;
    json["controls"] = Json::array();
    for (const Parameter* parameter : gui::shown_controls(state.scene)) {
        json["controls"].push_back(control_json(state.scene, *parameter));
    }
    json["first"] = Json::array();  // of them, what moves the task or the figure
    for (const Parameter* parameter : gui::hall_controls(state)) {
        json["first"].push_back(parameter->name);
    }
    const plot::Figure* figure = state.shown.figure();
    json["title"] = figure == nullptr ? view.name : std::string(figure->title);
    json["report"] = figure == nullptr ? std::string() : std::string(figure->report);
    json["values"] = values_text(state.figure_cursor);
    json["error"] = state.error.empty() ? state.shown.error : state.error;
    json["notice"] = state.notice.text;
    json["work"] = work_text(state.shown);
    json["stopped"] = state.shown.is_draft() && state.shown.refining.stopped;
    json["run"] = run_text(state.checks);
    json["model_name"] = gui::shown_title(state.scene);
    if (state.lessons.open()) {
        json["lesson"] = lesson_json(state.lessons);
        json["lesson"]["id"] = state.lessons.lesson->id;
    }
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace ropescope::web
