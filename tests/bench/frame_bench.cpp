// Our own CPU time for a frame at 1600 x 1000 while a slider is dragged: the scene changes, the
// figure is made again, the whole window is drawn into ImGui's lists. What OpenGL then does is not
// ours.
#include <stdexcept>

#include "app/headless/offscreen_gui.h"
#include "core/base/error.h"
#include "tests/bench/extreme_scenes.h"
#include "tests/bench/ratio.h"

namespace ropescope {
namespace {

constexpr double kBudgetMs = 4;

/// A slider of few steps needs a stride, so that every frame has another value.
void drag(benchmark::State& state, Scene scene, const char* view, const char* slider,
          int stride = 1) {
    scene.view = view;
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    try {
        headless::OffscreenGui gui(scene, *engine, {.width = 1600, .height = 1000});
        gui.state().shown.may_draft = true;  // as in the window: a knob makes drafts
        gui.state().probe.name = slider;
        gui.frame();
        gui.frame();
        const plot::Rect track = gui.state().probe.place.value();
        gui.state().probe = {};
        const double y = track.y + track.height / 2;
        // Press in one frame, move in every other, back and forth over the middle of the track.
        gui.input.mouse = plot::Pixel{track.x + track.width / 2, y};
        gui.frame();
        gui.input.mouse_down = true;
        gui.frame();
        int step = 0;
        for (auto _ : state) {
            const double share = 0.3 + 0.4 * (++step * stride % 97) / 97.0;
            gui.input.mouse = plot::Pixel{track.x + track.width * share, y};
            state.SetIterationTime(gui.frame() * 1e-3);
        }
        bench::set_budget_ms(state, kBudgetMs);
    } catch (const CapabilityError& error) {
        state.SkipWithError(error.what());
    }
}

/// The mouse moves over a figure that does not change.
void hover(benchmark::State& state, const char* view) {
    Scene scene;
    scene.view = view;
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    try {
        headless::OffscreenGui gui(scene, *engine, {.width = 1600, .height = 1000});
        gui.frame();
        int step = 0;
        for (auto _ : state) {
            gui.input.mouse = plot::Pixel{300.0 + ++step % 800, 300};
            state.SetIterationTime(gui.frame() * 1e-3);
        }
        bench::set_budget_ms(state, kBudgetMs);
    } catch (const CapabilityError& error) {
        state.SkipWithError(error.what());
    }
}

void frames(benchmark::internal::Benchmark* benchmark) {
    benchmark->UseManualTime()->Unit(benchmark::kMillisecond)->MinTime(0.2);
}

BENCHMARK_CAPTURE(drag, rotation, Scene{}, "rotation", "slider of base")->Apply(frames);
BENCHMARK_CAPTURE(drag, rotation_position, Scene{}, "rotation", "slider of query_position")
    ->Apply(frames);
BENCHMARK_CAPTURE(drag, spectrum, Scene{}, "spectrum", "slider of base")->Apply(frames);
BENCHMARK_CAPTURE(drag, table, Scene{}, "table", "slider of base")->Apply(frames);
BENCHMARK_CAPTURE(drag, scores, Scene{}, "scores", "slider of base")->Apply(frames);
BENCHMARK_CAPTURE(drag, absolute, Scene{}, "absolute", "slider of base")->Apply(frames);
BENCHMARK_CAPTURE(drag, decay, Scene{}, "decay", "slider of base")->Apply(frames);
BENCHMARK_CAPTURE(drag, precision, Scene{}, "precision", "slider of base")->Apply(frames);
BENCHMARK_CAPTURE(drag, rotation_16_pairs, bench::sixteen_pairs(), "rotation", "slider of base")
    ->Apply(frames);
BENCHMARK_CAPTURE(drag, spectrum_widest, bench::widest_head(), "spectrum", "slider of base")
    ->Apply(frames);
BENCHMARK_CAPTURE(drag, table_longest, bench::longest_table(), "table", "slider of base")
    ->Apply(frames);
BENCHMARK_CAPTURE(drag, table_widest, bench::widest_head(), "table", "slider of base")
    ->Apply(frames);
BENCHMARK_CAPTURE(drag, axes, bench::patches_64x64(), "axes", "slider of axes_fixed_column", 37)
    ->Apply(frames);
BENCHMARK_CAPTURE(drag, axes_two, bench::two_models_64x64(), "axes", "slider of axes_fixed_column",
                  37)
    ->Apply(frames);
BENCHMARK_CAPTURE(drag, positions, bench::many_tokens(), "positions",
                  "slider of positions_tokens_per_second", 23)
    ->Apply(frames);
BENCHMARK_CAPTURE(hover, rotation, "rotation")->Apply(frames);
BENCHMARK_CAPTURE(hover, table, "table")->Apply(frames);

}  // namespace
}  // namespace ropescope
