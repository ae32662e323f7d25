// The engine against this machine's memory: rotating a tensor over scaling it, filling a table over
// writing as many bytes.
#include <algorithm>

#include "core/base/multiversion.h"
#include "core/base/parallel.h"
#include "core/rope/rotate.h"
#include "tests/bench/ratio.h"

namespace ropescope {
namespace {

constexpr std::int64_t kPositions = 4096;
constexpr std::int64_t kHeads = 32;
constexpr std::int64_t kHeadDim = 128;
constexpr std::int64_t kTableRows = 32768;

enum class Memory { blhd, bhld };

/// The least that anything done in place to the tensor costs: read, multiply, write. The sign
/// changes and nothing else, so that the values neither grow nor vanish.
ROPESCOPE_MULTIVERSION
void scale(float* values, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        values[i] *= -1.0F;
    }
}

ROPESCOPE_MULTIVERSION
void write(float* values, std::int64_t count, float value) {
    for (std::int64_t i = 0; i < count; ++i) {
        values[i] = value;
    }
}

void rotate_over_scale(benchmark::State& state, Layout layout, Memory memory, int threads) {
    const RotationTable table = make_rotation_table(
        make_spectrum({.head_dim = kHeadDim, .rotary_dim = kHeadDim}), 0, kPositions, threads);
    AlignedVector<float> x(kPositions * kHeads * kHeadDim);
    std::fill(x.begin(), x.end(), 1.0F);
    const TensorView<float> view = memory == Memory::blhd
                                       ? blhd_view(x.data(), 1, kPositions, kHeads, kHeadDim)
                                       : bhld_view(x.data(), 1, kHeads, kPositions, kHeadDim);
    bench::compare(
        state, 1.05,
        [&] {
            rotate_in_place(view, table.view(), {layout, Direction::forward, {}, threads});
        },
        [&] {
            parallel_for(view.size(), kHeadDim, threads, [&](std::int64_t begin, std::int64_t end) {
                scale(x.data() + begin, end - begin);
            });
        });
}

void table_over_write(benchmark::State& state, int threads) {
    const Spectrum spectrum = make_spectrum({.head_dim = kHeadDim, .rotary_dim = kHeadDim});
    RotationTable table = make_rotation_table(spectrum, 0, kTableRows, threads);
    bench::compare(
        state, threads == 1 ? 3.0 : 2.0,
        [&] { fill_rotation_table(spectrum, 0, kTableRows, threads, table); },
        [&] {
            parallel_for(kTableRows, 1, threads, [&](std::int64_t begin, std::int64_t end) {
                const std::int64_t at = begin * table.pairs;
                write(table.cos.data() + at, (end - begin) * table.pairs, 0.5F);
                write(table.sin.data() + at, (end - begin) * table.pairs, 0.5F);
            });
        });
}

#define ROPESCOPE_ROTATE_BENCHMARKS(layout, memory)                                     \
    BENCHMARK_CAPTURE(rotate_over_scale, layout##_##memory##_1_thread, Layout::layout,  \
                      Memory::memory, 1)                                                \
        ->Apply(bench::in_turns);                                                       \
    BENCHMARK_CAPTURE(rotate_over_scale, layout##_##memory##_2_threads, Layout::layout, \
                      Memory::memory, 2)                                                \
        ->Apply(bench::in_turns)

ROPESCOPE_ROTATE_BENCHMARKS(half_split, blhd);
ROPESCOPE_ROTATE_BENCHMARKS(interleaved, blhd);
ROPESCOPE_ROTATE_BENCHMARKS(half_split, bhld);
ROPESCOPE_ROTATE_BENCHMARKS(interleaved, bhld);
BENCHMARK_CAPTURE(table_over_write, 1_thread, 1)->Apply(bench::in_turns);
BENCHMARK_CAPTURE(table_over_write, 2_threads, 2)->Apply(bench::in_turns);

}  // namespace
}  // namespace ropescope
