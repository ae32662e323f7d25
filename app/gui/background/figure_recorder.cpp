// Draws and writes a recording on a thread of its own.
#include "app/gui/background/figure_recorder.h"

#include <filesystem>
#include <fmt/format.h>
#include <utility>
#include <variant>
#include <vector>

#include "app/pages/animation.h"
#include "app/pages/recording.h"
#include "core/base/error.h"
#include "core/base/file.h"

namespace ropescope::gui {
namespace {

struct RecordingEnded : std::exception {};

void throw_if_stopped(const std::stop_token& stop) {
    if (stop.stop_requested()) {
        throw RecordingEnded();
    }
}

/// Tells whole per cents; 1 is for the end.
void record(const pages::Recording& recording, const std::string& path, Engine& engine,
            const std::stop_token& stop, const BackgroundJob<double>::Tell& tell) {
    constexpr double kDrawing = 0.99;
    int percent = -1;
    const std::vector<std::string> frames =
        pages::recorded_frames(recording, engine, [&](double done) {
            throw_if_stopped(stop);
            if (std::exchange(percent, static_cast<int>(100 * kDrawing * done)) != percent) {
                tell(kDrawing * done);
            }
        });
    pages::write_animation(path, frames, pages::kRecordedPerSecond,
                           [&] { throw_if_stopped(stop); });
    tell(1);
}

}  // namespace

void FigureRecorder::serve(AppState& state, void (*wake)()) {
    state.recording.start = [this, &state, wake](const RecordingOrder& order) {
        start(state, order, wake);
    };
}

void FigureRecorder::start(AppState& state, const RecordingOrder& order, void (*wake)()) {
    if (job_.running()) {
        throw InputError("record: a recording is being made; click it in the status bar to end it");
    }
    pages::require_animation(order.path);
    pages::Recording recording{
        .scene = order.scene,
        .variation = pages::parse_variation(order.vary, pages::kMostRecorded),
        .steps = order.steps,
        .look = order.look,
        .picture = order.picture};
    pages::require_recording(recording);
    path_ = order.path;
    state.recording.done = 0;
    state.recording.stop = false;
    job_.start(
        [this, recording = std::move(recording), path = path_, kind = state.engine->kind()](
            const std::stop_token& stop, const BackgroundJob<double>::Tell& tell) {
            record(recording, path, engines_.of_window(kind), stop, tell);
        },
        wake);
}

void FigureRecorder::update(AppState& state) {
    RecordingState& recording = state.recording;
    if (!recording.done) {
        return;
    }
    if (recording.stop) {
        job_.ask_to_stop();
    }
    const bool ended = !job_.running();  // before its last news is taken
    const std::optional<BackgroundJob<double>::Message> news = job_.take();
    if (news && std::holds_alternative<Failure>(*news)) {
        state.error = std::get<Failure>(*news).why;
    } else if (news) {
        recording.done = std::get<double>(*news);
    }
    if (!ended) {
        return;
    }
    if (*recording.done == 1) {
        state.notice.say("wrote " + whole_path(path_).string());
    } else if (recording.stop) {
        state.notice.say("the recording was ended; nothing was written");
    }
    recording.done.reset();
    recording.stop = false;
}

}  // namespace ropescope::gui
