// Counts the frames that an event asks for, and finds what moves or has changed without one.
#include "app/gui/frame_pacing.h"

#include <algorithm>
#include <utility>

namespace ropescope::gui {
namespace {

constexpr double kShortestFrame = 1.0 / 125;  // seconds
constexpr double kBlink = 0.1;                // seconds, of the caret in a field

}  // namespace

FramePacing::Seen FramePacing::seen(const AppState& state) {
    const ShownFigure& shown = state.shown;
    return {.overlay = state.overlay,
            .theme = state.theme.name,
            .type_size = state.type_size,
            .presenting = state.presenting,
            .full_screen = state.full_screen,
            .edited = state.edit.target,
            .error = state.error,
            .figure_error = shown.error,
            .notice = state.notice.text,
            .explanation = state.explanation,
            .explanation_shown = state.explanation_shown,
            .playing = state.playback.playing,
            .draft = shown.is_draft(),
            .refining_stopped = shown.refining.stopped,
            .gpu_wanted = state.engines.gpu_wanted,
            .refined = shown.refining.done,
            .recorded = state.recording.done,
            .checks = state.checks.phase,
            .check_results = state.checks.done(),
            .gpu = state.engines.gpu,
            .compared = state.engines.comparison.has_value(),
            .lesson = state.lessons.lesson,
            .lesson_step = state.lessons.step,
            .lesson_done = state.lessons.done,
            .lesson_hint = state.lessons.hint_shown,
            .lesson_offered = state.lessons.offered,
            .focused = state.focus.current()};
}

double FramePacing::wait_after_frame(const AppState& state, double elapsed) {
    frames_due_ = std::max(0, frames_due_ - 1);
    Seen now = seen(state);
    const bool changed = last_ && now != *last_;
    last_ = std::move(now);
    if (frames_due_ > 0 || changed ||
        !state.shown.is_of(state.scene, *state.engine, state.checks.run)) {
        return 0;
    }
    if (state.playback.playing) {
        // Unless the view draws what is between them, nothing moves before the next step is due;
        // and if no display's refresh holds the loop, a limit keeps a processor from running hot.
        const bool smooth = state.shown.picture && state.shown.picture->between;
        const double due = smooth ? 0 : state.playback.seconds_to_next(state.scene);
        return std::max({1e-4, due - elapsed, kShortestFrame - elapsed});
    }
    if (!state.edit.target.empty()) {
        return kBlink;
    }
    return state.notice.seconds_left > 0 ? state.notice.seconds_left : kUntilAnEvent;
}

}  // namespace ropescope::gui
