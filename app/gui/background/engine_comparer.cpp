// Draws a figure that has come to rest on both engines and measures how they differ.
#include "app/gui/background/engine_comparer.h"

#include <algorithm>
#include <chrono>
#include <variant>
#include <vector>

#include "app/plot/difference.h"

namespace ropescope::gui {
namespace {

struct Timed {
    plot::Figure figure;
    std::optional<double> seconds;  ///< median
};

/// The first run may compile shaders, so we repeat it while there is time and take the median of
/// the others. If the view remembers its results, nothing is computed here and the seconds are
/// those it remembers.
Timed timed_figure(const Scene& scene, Engine& engine, const figures::Work& work) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::seconds kPatience{1};
    constexpr std::size_t kMost = 5;
    const auto began = Clock::now();
    std::optional<Timed> first;
    std::vector<double> again;
    bool computed = true;
    while (computed && again.size() < kMost && (!first || Clock::now() - began < kPatience) &&
           !work.stop.stop_requested()) {
        const std::int64_t calls = engine.time().calls;
        plot::Figure figure = figures::make_figure(scene, engine, work);
        computed = engine.time().calls > calls;
        const std::optional<double> seconds = figure.engine_seconds;
        if (!first) {
            first = Timed{std::move(figure), seconds};
        } else if (computed) {
            again.push_back(seconds.value_or(0));
        }
    }
    if (!first) {
        return {};
    }
    if (!again.empty()) {
        std::ranges::sort(again);
        first->seconds = again[again.size() / 2];
    }
    return *std::move(first);
}

/// Empty if a fallback computed in place of the GPU, or there was none.
std::optional<EngineComparison> compare(const Scene& scene, Engine& cpu, Engine* gpu,
                                        const figures::Work& work) {
    if (gpu == nullptr) {
        return std::nullopt;
    }
    const Timed by_gpu = timed_figure(scene, *gpu, work);
    if (!by_gpu.seconds || gpu->kind() != EngineKind::gpu || work.stop.stop_requested()) {
        return std::nullopt;
    }
    const Timed by_cpu = timed_figure(scene, cpu, work);
    return EngineComparison{by_cpu.seconds.value_or(0), *by_gpu.seconds,
                            plot::largest_difference(by_cpu.figure, by_gpu.figure)};
}

/// Whether nothing moves, the figure is complete, and the GPU computed something for it.
bool at_rest(const AppState& state) {
    const plot::Figure* figure = state.shown.current();
    return figure != nullptr && !state.shown.is_draft() && !state.playback.playing &&
           !state.drag_start && state.engine->kind() == EngineKind::gpu &&
           state.shown.engine == EngineKind::gpu && figure->engine_seconds &&
           !shows_checks(*state.shown.scene);
}

}  // namespace

void EngineComparer::take_over(AppState& state) {
    const auto message = job_.take();
    if (!message || started_ != state.shown.count) {
        return;
    }
    if (const auto* failure = std::get_if<Failure>(&*message)) {
        state.error = failure->why;
    } else if (const auto& done = std::get<Compared>(*message); done.figure == state.shown.count) {
        state.engines.comparison = done.result;
    }
}

void EngineComparer::update(AppState& state, void (*wake)()) {
    EngineState& engines = state.engines;
    if (started_ != state.shown.count) {
        engines.comparison.reset();
        job_.ask_to_stop();
    }
    take_over(state);
    if (!at_rest(state) || job_.running() || started_ == state.shown.count) {
        return;
    }
    started_ = state.shown.count;
    cache_.share_results_of(state.shown.cache);
    job_.start(
        [this, figure = state.shown.count, scene = *state.shown.scene](
            const std::stop_token& stop, const BackgroundJob<Compared>::Tell& tell) {
            const Compared compared{.figure = figure,
                                    .result = compare(scene, engines_.cpu(), engines_.gpu(),
                                                      {.stop = stop, .cache = &cache_})};
            if (!stop.stop_requested()) {
                tell(compared);
            }
        },
        wake);
}

}  // namespace ropescope::gui
