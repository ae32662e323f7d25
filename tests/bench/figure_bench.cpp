// Building each view's figure at its defaults, and where it is largest. A slider drag rebuilds one
// figure a frame; the frame has 4 ms of our own time.
#include <benchmark/benchmark.h>

#include "app/figures/view.h"
#include "tests/bench/ratio.h"

namespace ropescope {
namespace {

void build(benchmark::State& state, Scene scene, const char* view) {
    scene.view = view;
    const auto engine = make_cpu_engine(1);
    for (auto _ : state) {
        benchmark::DoNotOptimize(figures::draft_figure(scene, *engine));
    }
    bench::set_budget_ms(state, 4.0);
}

Scene sixteen_pairs() {
    Scene scene;
    scene.pairs = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    scene.query_position = scene.key_position = kMaxPosition;
    return scene;
}

Scene longest_table() {
    Scene scene;
    scene.position_count = kMaxPosition + 1;
    return scene;
}

Scene widest_head() {
    Scene scene;
    scene.head_dim = scene.rotary_dim = kMaxHeadDim;
    return scene;
}

BENCHMARK_CAPTURE(build, rotation, Scene{}, "rotation")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, spectrum, Scene{}, "spectrum")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, table, Scene{}, "table")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, layouts, Scene{}, "layouts")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, scores, Scene{}, "scores")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, absolute, Scene{}, "absolute")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, decay, Scene{}, "decay")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, precision, Scene{}, "precision")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, rotation_16_pairs, sixteen_pairs(), "rotation")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, table_longest, longest_table(), "table")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, rotation_widest, widest_head(), "rotation")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, spectrum_widest, widest_head(), "spectrum")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, table_widest, widest_head(), "table")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, scores_widest, widest_head(), "scores")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, absolute_widest, widest_head(), "absolute")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, decay_widest, widest_head(), "decay")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, precision_widest, widest_head(), "precision")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, layouts_widest, widest_head(), "layouts")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ropescope
