// The lesson that is open, how far it is, and what of all lessons has been done. Plain values; the
// functions below change them. Sources: lesson_run.cpp, lesson_file.cpp.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "app/figures/work.h"
#include "app/lessons/lesson.h"
#include "app/lessons/step_text.h"
#include "app/scene/scene.h"
#include "core/engine/engine.h"

namespace ropescope::gui {

struct AppState;

struct LessonRun {
    const lessons::Lesson* lesson = nullptr;  ///< null: none is open
    std::size_t step = 0;
    lessons::StepText text;  ///< of the step, computed when it is opened
    bool text_due = false;   ///< it could not be computed yet, and is tried in each frame
    bool done = false;       ///< the task of the step; true if it has none
    bool hint_shown = false;
    bool pointing = false;  ///< the lesson itself points at what the task asks to point at
    /// Where the panel scrolls to when it is drawn next.
    enum class Scroll { stay, to_beginning, to_end_of_task } scroll = Scroll::stay;
    std::optional<std::size_t> answer;  ///< the last one that was chosen

    /// How many steps of each lesson are done, by the lesson's id. A step is done when its reader
    /// goes on to the next one. A lesson is finished when all of its steps are done.
    std::map<std::string, std::size_t> progress;
    /// The first lesson is offered over the figure.
    bool offered = false;
    bool list_just_opened = false;  ///< the list of lessons puts the focus on the next one

    std::optional<Scene> own_scene;  ///< the user's, which comes back when the lesson is closed

    std::optional<Scene> judged;  ///< the scene that `done` was last asked about
    /// Computes texts and conditions, on the CPU as the checks of lessons do, whatever engine the
    /// window draws with.
    std::shared_ptr<Engine> engine;
    figures::FigureCache cache;  ///< of what conditions compute

    bool open() const { return lesson != nullptr; }
    const lessons::Step& current() const { return lesson->steps[step]; }
    bool is_last() const { return step + 1 == lesson->steps.size(); }
    /// Steps done of a lesson.
    std::size_t done_of(const lessons::Lesson& of) const;
    bool finished(const lessons::Lesson& of) const { return done_of(of) == of.steps.size(); }
};

/// Opens a lesson where it was left, from its beginning if it is finished. Throws InputError for an
/// unknown id.
void open_lesson(AppState& state, const std::string& id);
/// Shows a step of the open lesson, from 0, without counting those before as done.
void show_step(AppState& state, std::size_t step);
/// Closes it, if one is open, and brings the user's own scene back, as a step of undo.
void leave_lesson(AppState& state);
/// Goes on. After the last step the lesson is finished, and closed.
void next_step(AppState& state);
void previous_step(AppState& state);
/// The one behind it in the list; null if there is none.
const lessons::Lesson* lesson_after(const lessons::Lesson& lesson);
/// Finishes the lesson and opens the one behind it, if there is one.
void next_lesson(AppState& state);
/// The first lesson that is not finished, or the first of all: where the list begins.
const lessons::Lesson& lesson_to_go_on_with(const LessonRun& run);
void show_hint(AppState& state);
/// Chooses an answer of the step's question.
void answer(AppState& state, std::size_t choice);
/// Applies the solution of the step's task.
void show_solution(AppState& state);
/// Finds out whether the task is done: by the scene, or by the panel under the mouse (empty: none).
void watch_task(AppState& state, const std::string& hovered_panel);

// Keeps the progress of lessons in a small JSON file of the user's configuration folder, which all
// windows share. A file that is missing means a first start; one that cannot be read is set aside,
// and is never fatal.

/// lessons.json in the folder of the window's preferences; empty if they are kept nowhere.
std::filesystem::path lesson_file_beside(const std::filesystem::path& preferences);

/// Of the file.
inline constexpr std::size_t kMostLessonBytes = std::size_t{1} << 16;

class LessonFile {
  public:
    /// With an empty path nothing is read, written or offered.
    explicit LessonFile(std::filesystem::path path) : path_(std::move(path)) {}

    /// Reads the progress. Without a file, the first lesson is offered. Returns one line if the
    /// file was not one of ours and is set aside; else an empty text.
    std::string load(LessonRun& run);
    /// Writes the progress if it has changed, and takes over what other windows have done: of each
    /// lesson the larger number counts. Returns why it could not be written, the first time; else
    /// an empty text. The file of a later version is left as it is.
    std::string save(LessonRun& run);

  private:
    std::filesystem::path path_;
    /// Empty: no file is there yet.
    std::optional<std::map<std::string, std::size_t>> written_;
    bool failed_ = false;
};

}  // namespace ropescope::gui
