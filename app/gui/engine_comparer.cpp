#include "app/gui/engine_comparer.h"

#include <algorithm>
#include <exception>
#include <vector>

#include "app/plot/difference.h"

namespace ropescope::gui {
namespace {

struct Timed {
    plot::Figure figure;
    std::optional<double> seconds;  ///< median
};

/// The first run may compile shaders: what is quick is done again.
Timed timed_figure(const Scene& scene, Engine& engine, const std::stop_token& stop) {
    constexpr double kQuick = 0.3;  // seconds
    constexpr int kMore = 5;
    Timed timed{figures::make_figure(scene, engine, {.stop = stop}), {}};
    timed.seconds = timed.figure.engine_seconds;
    if (!timed.seconds || *timed.seconds > kQuick) {
        return timed;
    }
    std::vector<double> seconds;
    for (int i = 0; i < kMore && !stop.stop_requested(); ++i) {
        seconds.push_back(
            figures::make_figure(scene, engine, {.stop = stop}).engine_seconds.value_or(0));
    }
    if (!seconds.empty()) {
        std::ranges::sort(seconds);
        timed.seconds = seconds[seconds.size() / 2];
    }
    return timed;
}

std::optional<EngineComparison> compare(const Scene& scene, Engine& cpu, Engine& gpu,
                                        const std::stop_token& stop) {
    const Timed by_gpu = timed_figure(scene, gpu, stop);
    if (!by_gpu.seconds || stop.stop_requested()) {
        return std::nullopt;  // no engine has a part in this view
    }
    const Timed by_cpu = timed_figure(scene, cpu, stop);
    return EngineComparison{by_cpu.seconds.value_or(0), *by_gpu.seconds,
                            plot::largest_difference(by_cpu.figure, by_gpu.figure)};
}

/// Nothing moves, and the figure is whole and the GPU's.
bool at_rest(const AppState& state) {
    return state.figure && state.figure_error.empty() && !state.draft_shown && !state.playing &&
           !state.drag_start && on_gpu(*state.engine) && state.figure_engine == "gpu" &&
           figures::view_by_id(state.figure->view).figure_of_run == nullptr;
}

}  // namespace

void EngineComparer::update(AppState& state, void (*wake)()) {
    EngineState& engines = state.engines;
    if (started_ != state.figures) {
        engines.comparison.reset();
        job_.ask_to_stop();
    }
    if (std::optional<Compared> done = job_.take(); done && done->figure == state.figures) {
        engines.comparison = done->result;
    }
    if (!at_rest(state) || job_.running() || started_ == state.figures) {
        return;
    }
    started_ = state.figures;
    job_.start(
        [this, figure = state.figures, scene = *state.figure_scene](
            const std::stop_token& stop, const BackgroundJob<Compared>::Tell& tell) {
            Compared compared{.figure = figure, .result = {}};
            try {
                compared.result = compare(scene, cpu_.get(false), gpu_.get(true), stop);
            } catch (const std::exception&) {
                // Why a scene cannot be drawn is told elsewhere.
            }
            if (!stop.stop_requested()) {
                tell(std::move(compared));
            }
        },
        wake);
}

}  // namespace ropescope::gui
