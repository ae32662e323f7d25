// Judges the statements of lessons with the first engine of a run of checks.
#include "app/lessons/lesson_checks.h"

#include <algorithm>
#include <fmt/format.h>

#include "app/lessons/lesson.h"
#include "app/lessons/quantities.h"
#include "app/lessons/step_text.h"
#include "app/lessons/task_state.h"

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

Finding judge_step(const Step& step, const CheckContext& context) {
    if (context.engines.empty()) {
        return skipped("no engine was opened");
    }
    Engine& engine = *context.engines.front();
    figures::FigureCache cache;
    Judgement judgement;
    const Names names = names_of(step.scene, engine, cache);
    for (const std::string& statement : statements_of(step)) {
        const Judged judged = judge(statement, names);
        judgement.add(judged.holds, fmt::format("{} ({})", statement, judged.sides));
    }
    step_text(step, engine, cache);  // throws if a number cannot be computed
    judge_task(step, engine, cache, judgement);
    return at_most(
        judgement.failed, 0, "every statement of the step holds",
        fmt::format("{} of {} statements hold: {}", judgement.statements - judgement.failed,
                    judgement.statements, judgement.detail));
}

std::string plain_words(const Step& step) {
    std::string words;
    for (const Sentence& sentence : step.text) {
        words += (words.empty() ? "" : " ") + sentence.text;
    }
    return words;
}

}  // namespace

std::vector<Check> lesson_checks() {
    std::vector<Check> checks;
    for (const Lesson& lesson : all_lessons()) {
        for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
            const Step& step = lesson.steps[i];
            if (statements_of(step).empty() && !step.task) {
                continue;
            }
            checks.push_back({.id = fmt::format("lesson.{}.{}", lesson.id, i + 1),
                              .title = step.title,
                              .source = fmt::format("lesson \"{}\", step {}", lesson.title, i + 1),
                              .statement = plain_words(step),
                              .figure = step.scene.view,
                              .run = [&step](const CheckContext& context) {
                                  return judge_step(step, context);
                              }});
        }
    }
    return checks;
}

}  // namespace ropescope::lessons
