// Rotation by positions in three axes, as language models that see need it, against the same
// rotation by one position a token: both with their tables, [4096, 32, 128].
#include <algorithm>
#include <vector>

#include "core/engine/engine.h"
#include "core/formats/presets.h"
#include "core/models/model.h"
#include "tests/bench/ratio.h"

namespace ropescope {
namespace {

constexpr Index kPositions = 4096;
constexpr Index kHeads = 32;
constexpr Index kHeadDim = 128;

/// Patches of a video, 64 to a frame: time, row and column.
std::vector<double> video_positions() {
    std::vector<double> positions(3 * kPositions);
    for (Index i = 0; i < kPositions; ++i) {
        positions[i] = to_double(i / 64);
        positions[kPositions + i] = to_double(i / 8 % 8);
        positions[2 * kPositions + i] = to_double(i % 8);
    }
    return positions;
}

void rotate_axes_over_one(benchmark::State& state, int threads) {
    const auto engine = make_cpu_engine(threads);
    const RotaryScheme scheme = open_model("qwen2-vl-7b").part().scheme;
    const Spectrum one = make_spectrum({.head_dim = kHeadDim, .rotary_dim = kHeadDim, .base = 1e6});
    const std::vector<double> positions = video_positions();
    std::vector<Index> rows(kPositions);
    for (Index i = 0; i < kPositions; ++i) {
        rows[i] = i;
    }
    AlignedVector<float> x(kPositions * kHeads * kHeadDim);
    std::fill(x.begin(), x.end(), 0.5F);
    const TensorView<float> view = bhld_view(x.data(), 1, kHeads, kPositions, kHeadDim);
    bench::compare(
        state, 1.1,
        [&] {
            const RotationTable table =
                engine->table(scheme.heads.front(), AxisPositions{positions, 3});
            engine->rotate_in_place(view, table.view(), rotate_options(scheme, rows));
        },
        [&] {
            const RotationTable table = engine->table(one, 0, kPositions);
            engine->rotate_in_place(view, table.view(), {});
        });
}
BENCHMARK_CAPTURE(rotate_axes_over_one, one_thread, 1)->Apply(bench::in_turns);
BENCHMARK_CAPTURE(rotate_axes_over_one, two_threads, 2)->Apply(bench::in_turns);

}  // namespace
}  // namespace ropescope
