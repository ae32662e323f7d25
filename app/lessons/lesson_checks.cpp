// Judges the statements of lessons with the first engine of a run of checks.
#include "app/lessons/lesson_checks.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

#include "app/lessons/lesson.h"
#include "app/lessons/quantities.h"
#include "app/lessons/step_text.h"
#include "app/scene/parameters.h"
#include "app/scene/settings.h"
#include "core/base/error.h"
#include "core/checks/check_run.h"
#include "core/demo/demo_checks.h"

namespace ropescope::lessons {
namespace {

/// What is judged, and what is wrong with it.
struct Judgement {
    int statements = 0, failed = 0;
    std::string detail;

    void add(bool holds, const std::string& text) {
        ++statements;
        failed += holds ? 0 : 1;
        detail += (detail.empty() ? "" : "; ") + text + (holds ? "" : " FAILS");
    }
};

void judge_task(const Step& step, Engine& engine, figures::FigureCache& cache,
                Judgement& judgement) {
    if (!step.task || step.task->until.empty()) {
        return;
    }
    judgement.add(!is_fulfilled(*step.task, step.scene, engine, cache),
                  "the task is open at first");
    judgement.add(is_fulfilled(*step.task, solved_scene(step), engine, cache),
                  "the solution fulfils it");
}

CheckFinding judge_step(const Step& step, const CheckContext& context) {
    if (context.engines.empty()) {
        return skipped("no engine was opened");
    }
    Engine& engine = *context.engines.front();
    figures::FigureCache cache;
    Judgement judgement;
    const Names names = names_of(step.scene, engine, cache);
    for (const std::string& statement : statements_of(step)) {
        const JudgedStatement judged = judge(statement, names);
        judgement.add(judged.holds, fmt::format("{} ({})", statement, judged.sides));
    }
    step_text(step, engine, cache);  // throws if a number cannot be computed
    judge_task(step, engine, cache, judgement);
    return at_most(
        judgement.failed, 0, "every statement of the step holds",
        fmt::format("{} of {} statements hold: {}", judgement.statements - judgement.failed,
                    judgement.statements, judgement.detail));
}

/// What a computed number shows, in place of the number: "{100 * change:0}" as "(100 * change)".
std::string with_names_of_numbers(std::string_view text) {
    std::string words;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t open = std::min(text.find('{', begin), text.size());
        const std::size_t close = std::min(text.find('}', open), text.size());
        words += text.substr(begin, open - begin);
        if (open < text.size()) {
            const std::string_view inside = text.substr(open + 1, close - open - 1);
            words += fmt::format("({})", inside.substr(0, inside.find(':')));
        }
        begin = close + 1;
    }
    return words;
}

std::string plain_words(const Step& step) {
    std::string words;
    for (const Passage& sentence : step.text) {
        words += (words.empty() ? "" : " ") + with_names_of_numbers(sentence.text);
    }
    return words;
}

/// The view, and the settings of the scene that a space does not divide (Check::figure).
std::string figure_of(const Scene& scene) {
    std::string figure = scene.view;
    for (const Assignment& given : assignments_to(scene)) {
        if (given.parameter->name != "view" && given.text.find(' ') == std::string::npos) {
            figure += fmt::format(" {}={}", given.parameter->name, given.text);
        }
    }
    return figure;
}

std::vector<Check> make_checks() {
    std::vector<Check> checks;
    for (const Lesson& lesson : all_lessons()) {
        for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
            const Step& step = lesson.steps[i];
            if (statements_of(step).empty() && (!step.task || step.task->until.empty())) {
                continue;  // it states nothing that could be false
            }
            checks.push_back({.id = fmt::format("lesson.{}.{}", lesson.id, i + 1),
                              .title = step.title,
                              .source = fmt::format("lesson \"{}\", step {}", lesson.title, i + 1),
                              .statement = plain_words(step),
                              .figure = figure_of(step.scene),
                              .run = [&step](const CheckContext& context) {
                                  return judge_step(step, context);
                              }});
        }
    }
    return checks;
}

}  // namespace

const std::vector<Check>& lesson_checks() {
    static const std::vector<Check> checks = make_checks();
    return checks;
}

// Joins the checks of the demo models and of the lessons.

const std::vector<Check>& further_checks() {
    static const std::vector<Check> checks = [] {
        std::vector<Check> all = demo::demo_checks();
        all.insert(all.end(), lesson_checks().begin(), lesson_checks().end());
        return all;
    }();
    return checks;
}

CheckRun unstarted_run() {
    return {.results = {}, .asked = select_checks("*", further_checks())};
}

// Judges the conditions of a task in the scene that is shown.

bool is_fulfilled(const Task& task, const Scene& scene, Engine& engine,
                  figures::FigureCache& cache) {
    try {
        const Names names = names_of(scene, engine, cache);
        return std::ranges::all_of(task.until, [&](const std::string& statement) {
            return judge(statement, names).holds;
        });
    } catch (const InputError&) {
        return false;
    }
}

Scene solved_scene(const Step& step) {
    return step.task ? apply_settings(step.scene, step.task->solution) : step.scene;
}

}  // namespace ropescope::lessons
