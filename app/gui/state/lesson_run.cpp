// Opens lessons, goes from step to step, and sees what has been done.
#include "app/gui/state/lesson_run.h"

#include <algorithm>
#include <utility>

#include "app/gui/state/actions.h"
#include "app/lessons/lesson_checks.h"
#include "core/base/error.h"

namespace ropescope::gui {
namespace {

/// What cannot be computed yet is said in place of the text: a page fetches the weights of the
/// trained models when they are first needed.
void read_text(LessonRun& run) {
    try {
        run.text = lessons::step_text(run.current(), *run.engine, run.cache);
        run.text_due = false;
    } catch (const InputError& refused) {
        run.text = {.title = run.current().title, .text = refused.what()};
        run.text_due = true;
    }
}

void enter(AppState& state, std::size_t step) {
    LessonRun& run = state.lessons;
    run.step = step;
    run.hint_shown = run.pointing = false;
    run.scroll = LessonRun::Scroll::to_beginning;
    run.answer.reset();
    run.judged.reset();
    run.done = !run.current().task.has_value();
    read_text(run);
    state.playback.playing = false;
    state.history.end_edit();
    edit_scene(state, run.current().scene);
}

}  // namespace

std::size_t LessonRun::done_of(const lessons::Lesson& of) const {
    const auto found = progress.find(of.id);
    return found == progress.end() ? 0 : std::min(found->second, of.steps.size());
}

void open_lesson(AppState& state, const std::string& id) {
    LessonRun& run = state.lessons;
    const lessons::Lesson& lesson = lessons::lesson_by_id(id);
    run.offered = false;
    run.lesson = &lesson;
    if (!run.own_scene) {
        run.own_scene = state.scene;
    }
    if (!run.engine) {
        run.engine = make_cpu_engine(1);
    }
    enter(state, run.finished(lesson) ? 0 : run.done_of(lesson));
}

void show_step(AppState& state, std::size_t step) {
    state.found_control.clear();
    enter(state, std::min(step, state.lessons.lesson->steps.size() - 1));
}

void leave_lesson(AppState& state) {
    LessonRun& run = state.lessons;
    if (!run.open()) {
        return;
    }
    run.lesson = nullptr;
    run.judged.reset();
    state.playback.playing = false;
    state.history.end_edit();
    edit_scene(state, *std::exchange(run.own_scene, std::nullopt));
}

void next_step(AppState& state) {
    LessonRun& run = state.lessons;
    std::size_t& done = run.progress[run.lesson->id];
    done = std::max(done, run.step + 1);
    if (run.is_last()) {
        state.notice.say("lesson finished: " + run.lesson->title);
        return leave_lesson(state);
    }
    enter(state, run.step + 1);
}

const lessons::Lesson* lesson_after(const lessons::Lesson& lesson) {
    const auto& all = lessons::all_lessons();
    const auto next = std::ranges::find(all, lesson.order + 1, &lessons::Lesson::order);
    return next == all.end() ? nullptr : &*next;
}

void next_lesson(AppState& state) {
    LessonRun& run = state.lessons;
    const lessons::Lesson* next = lesson_after(*run.lesson);
    run.progress[run.lesson->id] = run.lesson->steps.size();
    if (next == nullptr) {
        return leave_lesson(state);
    }
    open_lesson(state, next->id);
}

const lessons::Lesson& lesson_to_go_on_with(const LessonRun& run) {
    const auto& all = lessons::all_lessons();
    const auto found = std::ranges::find_if_not(
        all, [&](const lessons::Lesson& lesson) { return run.finished(lesson); });
    return found == all.end() ? all.front() : *found;
}

void previous_step(AppState& state) {
    if (state.lessons.step > 0) {
        enter(state, state.lessons.step - 1);
    }
}

void show_hint(AppState& state) {
    state.lessons.hint_shown = true;
    state.lessons.scroll = LessonRun::Scroll::to_end_of_task;
}

void answer(AppState& state, std::size_t choice) {
    LessonRun& run = state.lessons;
    run.answer = choice;
    run.scroll = LessonRun::Scroll::to_end_of_task;
    run.done = run.done || choice == run.current().task->question->right;
}

void show_solution(AppState& state) {
    LessonRun& run = state.lessons;
    const lessons::Task& task = *run.current().task;
    if (task.question) {
        return answer(state, task.question->right);
    }
    if (!task.point_at.empty()) {
        run.done = run.pointing = true;  // for those who have no mouse
        return;
    }
    state.history.end_edit();
    edit_scene(state, lessons::solved_scene(run.current()));
}

void watch_task(AppState& state, const std::string& hovered_panel) {
    LessonRun& run = state.lessons;
    if (run.open() && run.text_due) {
        read_text(run);
    }
    if (!run.open() || run.done) {
        return;
    }
    const lessons::Task& task = *run.current().task;
    if (!task.point_at.empty()) {
        run.done = hovered_panel == task.point_at;
    } else if (!task.until.empty() && run.judged != state.scene) {
        run.done = lessons::is_fulfilled(task, state.scene, *run.engine, run.cache);
        run.judged = state.scene;
    }
}

}  // namespace ropescope::gui
