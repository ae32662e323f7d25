// Building each view's figure at its defaults, and where it is largest. A slider drag rebuilds one
// figure a frame; the frame has 4 ms of our own time.
#include <benchmark/benchmark.h>

#include "app/figures/view.h"
#include "tests/bench/extreme_scenes.h"
#include "tests/bench/ratio.h"

namespace ropescope {
namespace {

void build(benchmark::State& state, Scene scene, const char* view) {
    scene.view = view;
    const auto engine = make_cpu_engine(1);
    for (auto _ : state) {
        benchmark::DoNotOptimize(figures::make_picture(scene, *engine, {.may_draft = true}).figure);
    }
    bench::set_budget_ms(state, 4.0);
}

BENCHMARK_CAPTURE(build, rotation, Scene{}, "rotation")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, spectrum, Scene{}, "spectrum")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, table, Scene{}, "table")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, layouts, Scene{}, "layouts")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, scores, Scene{}, "scores")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, absolute, Scene{}, "absolute")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, decay, Scene{}, "decay")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, precision, Scene{}, "precision")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, axes, bench::patches_64x64(), "axes")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, axes_two, bench::two_models_64x64(), "axes")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, rotation_16_pairs, bench::sixteen_pairs(), "rotation")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, table_longest, bench::longest_table(), "table")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, rotation_widest, bench::widest_head(), "rotation")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, spectrum_widest, bench::widest_head(), "spectrum")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, table_widest, bench::widest_head(), "table")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, scores_widest, bench::widest_head(), "scores")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, absolute_widest, bench::widest_head(), "absolute")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, decay_widest, bench::widest_head(), "decay")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, precision_widest, bench::widest_head(), "precision")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, layouts_widest, bench::widest_head(), "layouts")
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ropescope
